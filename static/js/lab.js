// Whoever has answered a lab's question sees what Valkey did; until then it is folded.
document.addEventListener("figure:answered", (event) => {
  const outcome = event.target.querySelector(".outcome");
  if (outcome && event.detail.dataset.action === "answer") outcome.open = true;
});
