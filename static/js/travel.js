// Rows travel to their new rank: measured before an order is swapped in, moved from there after.
const MILLISECONDS = 260;
const still = matchMedia("(prefers-reduced-motion: reduce)");

const isOrder = (event) => event.detail.message.id.endsWith("/order");
const rows = (figure) => figure.querySelectorAll(".ladder .job");
const places = new WeakMap();

document.addEventListener("htmx:sse:before:message", (event) => {
  const figure = event.target.closest("live-figure");
  if (!figure || still.matches || !isOrder(event)) return;
  places.set(figure, new Map(Array.from(rows(figure), (row) => [row.id, row.getBoundingClientRect().top])));
});

document.addEventListener("htmx:sse:after:message", (event) => {
  const figure = event.target.closest("live-figure");
  const before = figure && isOrder(event) && places.get(figure);
  if (!before) return;
  places.delete(figure);
  for (const row of rows(figure)) {
    // A row on its way is interrupted where it is: what was measured included its motion.
    for (const motion of row.getAnimations()) motion.cancel();
    const from = before.get(row.id), to = row.getBoundingClientRect().top;
    if (from === undefined) row.animate({ opacity: [0, 1] }, MILLISECONDS);
    else if (from !== to) row.animate({ transform: [`translateY(${from - to}px)`, "none"] }, { duration: MILLISECONDS, easing: "ease-out" });
  }
});
