// Tells the host how high the page is, and what was done in it: in our own words, and in those of the
// learning platforms, H5P and WordPress. Where nobody follows, the page scrolls inside its frame.
const NOBODY_MS = 1000;
const page = document.documentElement, content = document.querySelector("main");
const secret = new URLSearchParams(location.hash.replace(/^#\?/, "")).get("secret");
let told = 0, waits;

// scrollHeight never gets less; while it scrolls inside, the page is as high as its content.
function height() {
  const at = document.body.scrollTop, scrolled = page.classList.contains("scrolls");
  page.classList.remove("scrolls");
  const needed = Math.ceil(page.getBoundingClientRect().height);
  page.classList.toggle("scrolls", scrolled);
  document.body.scrollTop = at;
  return needed;
}

const post = (message) => parent.postMessage(message, "*");
const ours = (type, more = {}) => post({ source: "score-decoder", v: 1, type, ...more });
const h5p = (action, more = {}) => post({ context: "h5p", action, ...more });
const fit = () => page.classList.toggle("scrolls", innerHeight < height());

// Each new height is told once; whoever has not followed it after a while never will.
function tell() {
  const needed = height();
  if (needed === told) return;
  told = needed;
  ours("resize", { height: needed });
  post({ subject: "lti.frameResize", height: needed });
  h5p("prepareResize", { scrollHeight: needed, clientHeight: innerHeight });
  if (secret) post({ message: "height", value: needed, secret });
  clearTimeout(waits);
  waits = setTimeout(fit, NOBODY_MS);
}

if (parent !== window) {
  const watch = new ResizeObserver(tell);
  for (const part of [document.body, content]) watch.observe(part);
  addEventListener("resize", () => { if (page.classList.contains("scrolls")) fit(); });
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
    const said = { figure: target.id.replaceAll("_", "-"), address: state.href };
    ours("step", { ...said, action, step: Number(step) || undefined });
    // It is done with its last step, with an answer, or where nothing is asked with whatever was done.
    const asked = action === "answer" || new URL(state.href).searchParams.has("guess");
    const alone = !target.querySelector(".tools .next, .answers, .guess");
    if (step === "4" || asked || alone) ours("complete", said);
  });
}
