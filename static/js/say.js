// One status region per figure: the whole sentence, once, after the moves have come to rest.
const REST_MS = 1000;
const timers = new WeakMap();

document.addEventListener("figure:answered", (event) => {
  const figure = event.target;
  clearTimeout(timers.get(figure));
  timers.set(figure, setTimeout(() => {
    const texts = [".notices", ".sentence"].map((part) => figure.querySelector(part).textContent.trim());
    figure.querySelector("[role=status]").textContent = texts.filter(Boolean).join(" ");
  }, REST_MS));
});
