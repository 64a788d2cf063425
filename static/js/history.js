// The address follows the figure: a move replaces it, an action adds to it, Back replays the one before.
//
// The link comes from the sandbox's own memory with the last message, so no header could carry it.
const ours = { htmx: true }; // the mark by which htmx fetches an address again on Back

document.addEventListener("figure:answered", (event) => {
  const link = event.detail, here = location.pathname + location.search;
  // A figure further down has a page of its own, and its link leads there.
  if (link.pathname !== location.pathname) return;
  const address = link.getAttribute("href");
  if (address === here) return;
  const pushes = link.dataset.action !== "move" && !event.target.hasAttribute("data-framed");
  history[pushes ? "pushState" : "replaceState"](ours, "", address);
});

// Going back swaps the figure's inside: give the focus back to the control that had it.
let focused = "";
document.addEventListener("htmx:before:history:restore", () => { focused = document.activeElement?.id ?? ""; });
document.addEventListener("htmx:after:swap", (event) => {
  if (!focused || event.detail.ctx.request?.headers?.["HX-History-Restore-Request"] !== "true") return;
  document.getElementById(focused)?.focus({ preventScroll: true });
  focused = "";
});
