// Steps: arrow keys walk through them, wherever no control wants the arrows: through those of the figure
// that has the focus, else of the only one, while it can be seen. What is asked leads on from what is
// on screen.
import { fieldsOf } from "./leads.js";

const WAYS = { ArrowRight: ".next", ArrowLeft: ".previous" };

// A request that waited behind others was made before their answers. When it is sent, it goes on from
// the state on screen by then: the second of two clicks on Next asks for the step after the first's.
document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail, source = ctx.sourceElement, figure = source.closest("live-figure.three");
  if (!figure || event.defaultPrevented) return;
  if (source.hidden) return event.preventDefault();
  const { body } = ctx.request;
  for (const field of figure.querySelectorAll(".where input[type=hidden]")) body.set(field.name, field.value);
  if (source === figure.form) return;
  // The slider counts where it was moved and did not send that itself.
  if (!ctx.ahead) body.delete("seconds");
  for (const [name, value] of Object.entries(fieldsOf(source))) body.set(name, value);
});

function seen(figure) {
  const { top, bottom } = figure.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

document.addEventListener("keydown", (event) => {
  const steppers = document.querySelectorAll("live-figure:has(.tools)");
  const alone = event.target === document.body && steppers.length === 1 && seen(steppers[0]) ? steppers[0] : null;
  const figure = event.target.closest?.("live-figure") ?? alone;
  const busy = event.target.closest?.("input, textarea, select, pre");
  if (event.defaultPrevented || !figure || busy || !(event.key in WAYS) || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = figure.querySelector(`.tools ${WAYS[event.key]}`);
  if (!link || link.hidden) return;
  event.preventDefault();
  link.click();
});
