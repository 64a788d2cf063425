// What is chosen, and where links lead, follow the state on screen.
//
// Cards, clocks, steps and actions stay where they are while answers come in. Each link is known by
// the fields that it sends; its address is that of the state on screen with these fields worked in,
// as decoder/figures/three_readings/links.py writes it.
const PARTS = ["reading", "step", "now_ms", "clock", "wrote", "then"];
const ANEW = [undefined, "select", "write", "reset"];

export function fieldsOf(link) {
  const text = link.getAttribute("hx-vals") ?? link.dataset.vals ?? "";
  return Object.fromEntries(text.split(" ").filter(Boolean).map((field) => field.split(":")));
}

function query(here, fields) {
  const { action, reading = here.reading, lifo, guess } = fields, asked = { ...here };
  const anew = ANEW.includes(action) || reading !== here.reading;
  const wrote = here.wrote ?? here.clock ?? "pinned", then = here.then ?? "";
  delete asked.wrote;
  delete asked.then;
  if (anew) delete asked.step;
  for (const name of PARTS) if (name in fields) asked[name] = fields[name];
  if (asked.clock === "pinned") delete asked.clock;
  if (!anew && wrote !== (asked.clock ?? "pinned")) asked.wrote = wrote;
  if (!ANEW.includes(action)) {
    const entry = [action, lifo && "lifo", guess].filter(Boolean).join("-");
    asked.then = then && !anew ? `${then},${entry}` : entry;
  }
  return PARTS.filter((name) => asked[name]).map((name) => `${name}=${asked[name]}`).join("&");
}

// The steps before and after are others from step to step, and sometimes there is none.
function turn(link, fields) {
  link.setAttribute("hx-vals", fields);
  link.hidden = !fields;
  if (!fields) link.removeAttribute("href");
}

function choose(link, chosen) {
  link.classList.toggle("chosen", chosen);
  if (chosen) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
}

function show(part, chosen, now) {
  part.textContent = chosen ? now : part.dataset.first;
}

// What belongs to some states alone is shown in these.
function reveal(figure, name) {
  for (const part of figure.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(name);
}

function follow(figure, state) {
  const { reading, clock, step, stored, previous, next } = state.dataset;
  reveal(figure, reading);
  for (const card of figure.querySelectorAll(".card")) {
    const chosen = card.dataset.reading === reading;
    card.classList.toggle("chosen", chosen);
    choose(card.querySelector(".question"), chosen);
    show(card.querySelector("data"), chosen, stored);
    show(card.querySelector(".told"), chosen, figure.querySelector(".read-back").textContent);
  }
  const question = figure.querySelector(".card.chosen");
  for (const link of figure.querySelectorAll(".designs .ask")) {
    link.dataset.vals = `action:select reading:${question.getAttribute(`data-${link.dataset.design}`)}`;
  }
  turn(figure.querySelector(".previous"), previous);
  turn(figure.querySelector(".next"), next);
  for (const link of figure.querySelectorAll(".clock .by")) choose(link, fieldsOf(link).clock === clock);
  for (const link of figure.querySelectorAll(".step:not(.previous, .next)")) choose(link, fieldsOf(link).step === step);
  const here = Object.fromEntries(new URL(state.href).searchParams);
  // A figure further down a page has a page of its own, and its links lead there.
  // In a frame all links stay in it, and carry on how it is to look.
  const { path, kept } = document.body.dataset;
  const page = path ? `/embed${state.pathname.replace(/^\/figures/, "")}` : state.pathname;
  const base = page === location.pathname ? "" : page;
  for (const link of figure.querySelectorAll(".ask:not([hidden])")) {
    link.setAttribute("href", `${base}?${[query(here, fieldsOf(link)), kept].filter(Boolean).join("&")}${link.hash}`);
  }
}

document.addEventListener("figure:answered", (event) => {
  if (event.target.matches(".three")) follow(event.target, event.detail);
  if (event.target.matches(".pair")) reveal(event.target, event.detail.dataset.asks);
});
