// Tells the host how high the page is, and what was done in it: in our own words, and in those of the
// learning platforms, H5P and WordPress. Where nobody listens, the page scrolls inside its frame.
const NOBODY_MS = 1000;
const page = document.documentElement;
const secret = new URLSearchParams(location.hash.replace(/^#\?/, "")).get("secret");
let told = 0;

// scrollHeight never gets less; while it scrolls inside, the page is as high as its content.
function height() {
  page.classList.remove("scrolls");
  return Math.ceil(page.getBoundingClientRect().height);
}

const post = (message) => parent.postMessage(message, "*");
const ours = (type, more = {}) => post({ source: "score-decoder", v: 1, type, ...more });
const h5p = (action, more = {}) => post({ context: "h5p", action, ...more });

function scroll(needed) { page.classList.toggle("scrolls", innerHeight < needed); }

function tell() {
  const scrolled = page.classList.contains("scrolls"), needed = height();
  if (needed !== told) {
    told = needed;
    ours("resize", { height: needed });
    post({ subject: "lti.frameResize", height: needed });
    h5p("prepareResize", { scrollHeight: needed, clientHeight: innerHeight });
    if (secret) post({ message: "height", value: needed, secret });
  }
  if (scrolled) scroll(needed);
}

if (parent !== window) {
  new ResizeObserver(tell).observe(document.body);
  addEventListener("resize", () => { if (page.classList.contains("scrolls")) scroll(height()); });
  setTimeout(() => scroll(height()), NOBODY_MS);
  addEventListener("message", (event) => {
    if (event.source !== parent || event.data?.context !== "h5p") return;
    const { action } = event.data;
    if (action === "hello" || action === "resize") h5p("prepareResize", { scrollHeight: told || height(), clientHeight: innerHeight });
    if (action === "resizePrepared") h5p("resize", { scrollHeight: told });
  });
  ours("ready");
  h5p("hello");
  tell();
  document.addEventListener("figure:answered", ({ target, detail: state }) => {
    const { action = "", step = "" } = state.dataset;
    ours("step", { figure: target.id.replaceAll("_", "-"), action, step: Number(step) || undefined, address: state.href });
    const last = step === "4" || action === "answer" || new URL(state.href).searchParams.has("guess");
    if (last) ours("complete", { figure: target.id.replaceAll("_", "-"), address: state.href });
  });
}
