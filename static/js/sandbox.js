// What a page says about its sandbox: one token in every form, and the same of what is left.
// The expiry counts down between answers, and is marked while there is still time to act.
const SOON_MS = 10 * 60_000, LOOK_MS = 20_000;
const until = new WeakMap();

function show(expiry) {
  if (!until.has(expiry)) until.set(expiry, Date.now() + expiry.dataset.expiresIn * 1000);
  const left = until.get(expiry) - Date.now();
  expiry.classList.toggle("soon", left < SOON_MS);
  expiry.querySelector("time").textContent = left > 0 ? `${Math.ceil(left / 60_000)} min` : "a moment; the next move starts afresh";
}

// Figures and transcripts of a page live in one sandbox: its name and the minute's commands are told alike
// by all. How long a queue lives is told by each figure of its own.
function tell(told) {
  const { token } = told.closest("form")?.elements ?? told.querySelector("form").elements;
  for (const field of document.querySelectorAll("[name=token]")) field.value = token.value;
  const expiry = told.querySelector(".expiry"), commands = told.querySelector(".commands");
  if (expiry) {
    until.delete(expiry);
    show(expiry);
  }
  if (!commands) return;
  for (const other of document.querySelectorAll(".commands")) {
    Object.assign(other, { className: commands.className, textContent: commands.textContent });
  }
}

for (const kind of ["figure:answered", "transcript:answered"]) document.addEventListener(kind, (event) => tell(event.target));
// Going back replays the page's first figure in a sandbox of its own: the others follow it there.
document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail.ctx.request?.headers?.["HX-History-Restore-Request"] !== "true") return;
  const figure = document.querySelector("[hx-history-elt]");
  if (figure) tell(figure);
});
document.querySelectorAll(".expiry").forEach(show);
setInterval(() => document.querySelectorAll(".expiry").forEach(show), LOOK_MS);
