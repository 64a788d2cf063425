// Arrow keys walk through the steps of a figure that has them, wherever no control wants the arrows:
// of the one that has the focus, else of the only one, while it can be seen.
const WAYS = { ArrowRight: ".next", ArrowLeft: ".previous" };

// Cards and clocks stay where they are; which one is chosen follows the answers.
document.addEventListener("figure:answered", (event) => {
  const { reading, clock } = event.detail.dataset, figure = event.target;
  for (const card of figure.querySelectorAll(".card")) card.classList.toggle("chosen", card.dataset.reading === reading);
  for (const link of figure.querySelectorAll("[class*=by-]")) {
    const chosen = link.classList.contains(`by-${clock}`);
    link.classList.toggle("chosen", chosen);
    if (chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
});

function seen(figure) {
  const { top, bottom } = figure.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

document.addEventListener("keydown", (event) => {
  const steppers = document.querySelectorAll("live-figure:has(.tools)");
  const alone = event.target === document.body && steppers.length === 1 && seen(steppers[0]) ? steppers[0] : null;
  const figure = event.target.closest?.("live-figure") ?? alone;
  const busy = event.target.closest?.("input, textarea, select, pre");
  if (!figure || busy || !(event.key in WAYS) || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = figure.querySelector(`.tools ${WAYS[event.key]}`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
