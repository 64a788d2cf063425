// Share / embed: the page of that name, in a dialog, with what is on the screen now. Where the dialog
// can't be filled, the page itself is opened.
let dialog;

function made() {
  const box = document.createElement("dialog");
  box.className = "sharing";
  box.innerHTML = '<div></div><form method="dialog"><button>Close</button></form>';
  box.addEventListener("submit", (event) => {
    if (event.target.method !== "get") return;
    event.preventDefault();
    fill(`${event.target.getAttribute("action")}?${new URLSearchParams(new FormData(event.target))}`, true);
  });
  return document.body.appendChild(box);
}

async function fill(address, more) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("share");
    if (more) page.querySelector("details").open = true;
    dialog.firstElementChild.replaceChildren(page);
    dialog.setAttribute("aria-labelledby", "share_title");
    if (!dialog.open) dialog.showModal();
  } catch {
    location.href = address;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.share");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  dialog ??= made();
  const state = link.closest("live-figure")?.querySelector(".state");
  fill(state ? `${link.pathname}${state.search}` : link.href);
});
