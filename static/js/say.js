// One status region per figure: the whole sentence, once, after the moves have come to rest.
const REST_MS = 1000;
const timers = new WeakMap();

function sayLater(figure, parts) {
  clearTimeout(timers.get(figure));
  timers.set(figure, setTimeout(() => {
    // What is folded, such as the answer to a question, is not said either.
    const open = parts.map((part) => figure.querySelector(part)).filter((one) => !one.closest("details:not([open])"));
    const texts = open.map((one) => one.textContent.trim());
    figure.querySelector("[role=status]").textContent = texts.filter(Boolean).join(" ");
  }, REST_MS));
}

document.addEventListener("figure:answered", (event) => sayLater(event.target, [".notices", ".sentence"]));
document.addEventListener("figure:failed", (event) => sayLater(event.target, [".failure"]));
