// The links of "Take the commands" lead to the state on screen, which each answer changes.
document.addEventListener("figure:answered", (event) => {
  for (const link of event.target.querySelectorAll(".take a")) link.search = event.detail.search;
});
