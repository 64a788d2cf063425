// A page in a frame of somebody else's: nothing is stored, nothing of the host's is touched.
import "./slider.js";
import "./copy.js";
import "./live-figure.js";
import "./travel.js";
import "./lab.js";
import "./light.js";
import "./score-bits.js";
import "./say.js";
import "./sandbox.js";
import "./leads.js";
import "./stepper.js";
import "./transcript.js";
import "./takeaway.js";
import "./resize.js";

// In a sandboxed frame all is another origin's: with headers of its own a request would be asked about
// first. The server tells what is wanted by Accept alone.
document.addEventListener("htmx:before:request", (event) => {
  const { headers } = event.detail.ctx.request;
  for (const name of Object.keys(headers)) if (name.startsWith("HX-")) delete headers[name];
});

// Nor does a sandboxed frame submit a form: what a button would send, htmx is told here.
function send(form, submitter) {
  form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[name]");
  if (!button?.form || event.defaultPrevented || button.hasAttribute("hx-post")) return;
  event.preventDefault();
  send(button.form, button);
});

document.addEventListener("keydown", (event) => {
  const { form } = event.target;
  if (event.key !== "Enter" || !event.target.matches("input") || !form) return;
  event.preventDefault();
  send(form, form.querySelector("button[name=action]:not([hx-post])"));
});

// The address follows where the frame has one of its own; Back belongs to the host.
document.addEventListener("figure:answered", ({ detail: state }) => {
  if (state.dataset.action !== "move") document.body.classList.remove("asks");
  const { path, kept } = document.body.dataset;
  // A figure further down has an address of its own.
  if (path !== `/embed${state.pathname.replace(/^\/figures/, "").replace(/^\/$/, "/composite")}`) return;
  try {
    history.replaceState(null, "", [`${path}${state.search}`, kept].filter(Boolean).join(state.search ? "&" : "?"));
  } catch {
    // A sandboxed frame has no address to change.
  }
});
