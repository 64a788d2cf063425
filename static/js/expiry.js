// The expiry counts down between answers, and is marked while there is still time to act.
const SOON_MS = 10 * 60_000, LOOK_MS = 20_000;
const until = new WeakMap();

function show(expiry) {
  if (!until.has(expiry)) until.set(expiry, Date.now() + expiry.dataset.expiresIn * 1000);
  const left = until.get(expiry) - Date.now();
  expiry.classList.toggle("soon", left < SOON_MS);
  expiry.querySelector("time").textContent = left > 0 ? `${Math.ceil(left / 60_000)} min` : "a moment; the next move starts afresh";
}

document.addEventListener("figure:answered", (event) => {
  const expiry = event.target.querySelector(".expiry");
  if (!expiry) return;
  until.delete(expiry);
  show(expiry);
});
document.querySelectorAll(".expiry").forEach(show);
setInterval(() => document.querySelectorAll(".expiry").forEach(show), LOOK_MS);
