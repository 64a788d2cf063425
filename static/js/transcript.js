// A transcript says when its run did not get through; what it shows stays, and running it tries again.
for (const kind of ["htmx:error", "htmx:sse:error", "htmx:response:error"]) {
  document.addEventListener(kind, (event) => {
    const failure = event.target.closest?.(".transcript")?.querySelector(".failure");
    if (failure) failure.textContent = failure.dataset.offline;
  });
}
