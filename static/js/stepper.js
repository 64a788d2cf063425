// Arrow keys walk through the steps of a figure that has them, wherever no control wants the arrows.
const WAYS = { ArrowRight: ".next", ArrowLeft: ".previous" };

// The cards stay where they are; which one is chosen follows the answers.
document.addEventListener("figure:answered", (event) => {
  const { reading } = event.detail.dataset;
  for (const card of event.target.querySelectorAll(".card")) card.classList.toggle("chosen", card.dataset.reading === reading);
});

document.addEventListener("keydown", (event) => {
  const figure = event.target.closest?.("live-figure");
  const busy = event.target.closest?.("input, textarea, select, pre");
  if (!figure || busy || !(event.key in WAYS) || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = figure.querySelector(`.tools ${WAYS[event.key]}`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
