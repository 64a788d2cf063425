// <live-figure>: numbers its requests, drops what is outdated, and says when the server is gone.
//
// htmx sends and swaps. A request carries a sequence number; a message carries the number of the
// request that it answers (id: 7/order), and an older one never overwrites a newer one.
class LiveFigure extends HTMLElement {
  sent = 0; // the number of the newest request
  answered = 0; // … of the newest message
  finished = 0; // … of the newest answer that came to its end
  open = 0; // requests made and not finished
  settles = false; // a field was left, and shall show what the server took
  ahead = false; // the controls have moved on since the newest request was made

  connectedCallback() {
    const page = this.page = new AbortController();
    const on = (what, does, capture = false) => this.addEventListener(what, does, { capture, signal: page.signal });
    on("input", () => { this.ahead = true; }, true);
    on("change", (event) => this.left(event.target));
    on("htmx:config:request", (event) => this.made(event));
    on("htmx:before:request", (event) => this.number(event));
    on("htmx:finally:request", () => this.ended());
    on("htmx:sse:before:message", (event) => this.keep(event));
    on("htmx:sse:after:message", (event) => this.arrived(event.detail.message.id));
    for (const what of ["htmx:error", "htmx:sse:error", "htmx:response:error"]) on(what, () => this.offline());
    // Going back shows another sandbox: what the old one still answers is outdated.
    const outdated = () => { this.answered = this.finished = ++this.sent; };
    document.addEventListener("htmx:before:history:restore", outdated, { signal: page.signal });
  }

  // A page that is restored has a figure of its own; this one shall not listen on.
  disconnectedCallback() { this.page.abort(); }

  get form() { return this.querySelector("form"); }

  // Of the moves that wait behind a running request only the last is worth sending. A throttled
  // move that fires after a button was pressed is not: the button has sent what the controls show.
  made(event) {
    const { ctx } = event.detail;
    const late = ctx.sourceElement === this.form && ctx.sourceEvent.type === "input" && !this.ahead;
    if (late) return event.preventDefault();
    // A move that failed is still to be made.
    ctx.ahead = this.ahead || this.matches(".stale");
    this.ahead = false;
    this.open += 1;
    if (ctx.sourceElement === this.form) this.move = ctx;
  }

  // A field that is left shows what the server took, once nothing is on its way.
  left(field) {
    this.settles = field.type === "number";
    this.settle();
  }

  settle() {
    const state = this.querySelector(".state");
    if (!this.settles || !state || this.open || this.ahead) return;
    this.settles = false;
    this.follow(state.dataset);
  }

  number(event) {
    const { ctx } = event.detail;
    if (ctx.sourceElement === this.form && ctx !== this.move) return event.preventDefault();
    this.sent = Math.max(this.sent + 1, Number(this.form.elements.seq.value));
    ctx.request.body?.set("seq", this.sent);
  }

  ended() {
    this.open -= 1;
    // The stream ended before its last message.
    if (this.answered > this.finished) this.offline();
    // A field that was left between an answer's last message and its end still waits.
    else this.settle();
  }

  keep(event) {
    const seq = parseInt(event.detail.message.id, 10);
    if (seq < this.answered) return event.preventDefault();
    this.answered = seq;
  }

  arrived(id) {
    const [seq, kind] = id.split("/");
    this.classList.toggle("stale", kind === "failure");
    if (kind === "failure") this.failed(Number(seq));
    if (kind !== "order") return;
    this.finished = Number(seq);
    // Another page may have moved in the same sandbox: the next move is to be newer than that.
    this.sent = Math.max(this.sent, Number(this.form.elements.token.dataset.newest));
    const state = this.querySelector(".state");
    if (this.open <= 1 && !this.ahead) this.follow(state.dataset);
    this.dispatchEvent(new CustomEvent("figure:answered", { bubbles: true, detail: state }));
  }

  // Let the controls show what the server took: after a reset, or a number moved into range.
  follow(state) {
    if (state.action === "serve") for (const guess of this.querySelectorAll("[name=guess]")) guess.checked = false;
    const full = this.form.elements.full;
    const turned = full && full.checked !== (state.full === "1");
    if (turned) full.checked = state.full === "1";
    for (const slider of this.querySelectorAll("score-slider")) {
      if (turned) slider.setRange(full.checked);
      slider.follow(state[slider.range.name]);
    }
  }

  failed(seq) {
    this.finished = seq;
    this.dispatchEvent(new CustomEvent("figure:failed", { bubbles: true }));
  }

  offline() {
    const failure = this.querySelector(".failure");
    failure.textContent = failure.dataset.offline;
    const asking = this.querySelector(".badge .asking");
    if (asking) Object.assign(asking, { className: "failed", textContent: "no answer" });
    this.classList.add("stale");
    this.failed(this.answered);
  }
}

customElements.define("live-figure", LiveFigure);
