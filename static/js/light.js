// Where one fact is pointed at, focused or tapped, the same fact lights up in every figure of the page.
const FACTS = ["tier", "arrival", "time", "slot", "sign", "exponent", "integer", "fraction"];
const factOf = (element) => FACTS.find((fact) => element.closest?.(`.fact-${fact}`));

function light(fact) {
  const root = document.documentElement;
  if (root.dataset.lit === fact) return;
  if (fact) root.dataset.lit = fact;
  else delete root.dataset.lit;
}

for (const kind of ["pointerover", "focusin", "click"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("live-figure")) light(factOf(event.target));
    else light(undefined);
  });
}
