// A transcript tells how its run went, in one status region and once; when a run did not get through,
// what it shows stays, and running it tries again.
const running = new WeakMap(); // the newest request of a transcript that has not come to its end

const transcript = (event) => event.target.closest?.(".transcript");

function ended(form, part) {
  running.delete(form);
  form.querySelector("[role=status]").textContent = form.querySelector(part).textContent.trim().replace(/\s+/g, " ");
}

function offline(form) {
  const failure = form.querySelector(".failure");
  failure.textContent = failure.dataset.offline;
  ended(form, ".failure");
}

document.addEventListener("htmx:before:request", (event) => {
  const form = transcript(event);
  if (form) running.set(form, event.detail.ctx);
});

document.addEventListener("htmx:sse:after:message", (event) => {
  const form = transcript(event), kind = event.detail.message.id;
  if (!form) return;
  if (kind === "failure" && form.querySelector(".failure").textContent.trim()) ended(form, ".failure");
  if (kind !== "tools") return;
  ended(form, ".told");
  form.dispatchEvent(new CustomEvent("transcript:answered", { bubbles: true }));
});

for (const kind of ["htmx:error", "htmx:sse:error", "htmx:response:error"]) {
  document.addEventListener(kind, (event) => {
    const form = transcript(event);
    if (form) offline(form);
  });
}

// An answer that broke off before its last message; one that a newer run replaced may.
document.addEventListener("htmx:finally:request", (event) => {
  const form = transcript(event);
  if (form && running.get(form) === event.detail.ctx) offline(form);
});
