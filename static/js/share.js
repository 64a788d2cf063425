// Share / embed: the page of that name, in a dialog, with what is on the screen now. Where the dialog
// can't be filled, the page itself is opened.
let dialog;

const chosen = (form) => `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;

function made() {
  const box = document.createElement("dialog");
  box.className = "sharing";
  box.innerHTML = '<div></div><form method="dialog"><button>Close</button></form>';
  box.addEventListener("submit", (event) => {
    if (event.target.method !== "get") return;
    event.preventDefault();
    fill(chosen(event.target), event.target);
  });
  // What is chosen is shown at once; a text when it is left.
  box.addEventListener("change", ({ target }) => target.form?.method === "get" && target.form.requestSubmit());
  return document.body.appendChild(box);
}

// The control that had the focus has it again; at first it is the button that copies.
function focus(page, { name, value }) {
  const same = [...page.querySelectorAll("form :is(input, select, button)")].filter((one) => name && one.name === name);
  (same.find((one) => one.value === value) ?? same[0] ?? page.querySelector("copy-button button")).focus();
}

async function fill(address, form) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("share");
    // Something else was chosen or typed since: what is shown then has it.
    if (form && chosen(form) !== address) return;
    if (form) page.querySelector("details").open = true;
    const before = document.activeElement;
    dialog.firstElementChild.replaceChildren(page);
    dialog.setAttribute("aria-labelledby", "share_title");
    if (!dialog.open) dialog.showModal();
    focus(page, before);
  } catch {
    location.href = address;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.share");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  dialog ??= made();
  // Beside a figure it is that figure's state, else that of the page, which its address has.
  const state = link.closest("live-figure")?.querySelector(".state")?.search ?? location.search;
  fill(`${link.pathname}${state}`);
});
