// <live-figure>: numbers its requests, drops what is outdated, and says when the server is gone.
//
// htmx sends and swaps. A request carries a sequence number; a message carries the number of the
// request that it answers (id: 7/order), and an older one never overwrites a newer one.
class LiveFigure extends HTMLElement {
  sent = 0;
  answered = 0;

  connectedCallback() {
    this.addEventListener("htmx:config:request", (event) => this.latest(event.detail.ctx));
    this.addEventListener("htmx:before:request", (event) => this.number(event));
    this.addEventListener("htmx:sse:before:message", (event) => this.keep(event));
    this.addEventListener("htmx:sse:after:message", (event) => this.arrived(event.detail.message.id));
    this.addEventListener("htmx:error", () => this.offline());
    this.addEventListener("htmx:sse:error", () => this.offline());
    this.addEventListener("htmx:response:error", () => this.offline());
    // Going back shows another sandbox: what the old one still answers is outdated.
    document.addEventListener("htmx:before:history:restore", () => { this.answered = ++this.sent; });
  }

  get form() { return this.querySelector("form"); }

  // Of the moves that wait behind a running request only the last is worth sending.
  latest(ctx) {
    if (ctx.sourceElement === this.form) this.move = ctx;
  }

  number(event) {
    const { ctx } = event.detail;
    if (ctx.sourceElement === this.form && ctx !== this.move) return event.preventDefault();
    this.sent = Math.max(this.sent + 1, Number(this.form.elements.seq.value));
    ctx.request.body?.set("seq", this.sent);
  }

  keep(event) {
    const seq = parseInt(event.detail.message.id, 10);
    if (seq < this.answered) return event.preventDefault();
    this.answered = seq;
  }

  arrived(id) {
    const [seq, kind] = id.split("/");
    this.classList.toggle("stale", kind === "failure");
    if (kind !== "order") return;
    const state = this.querySelector(".state");
    if (Number(seq) === this.sent) this.follow(state.dataset);
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
      const value = state[slider.range.name];
      if (document.activeElement !== slider.number && slider.range.value !== value) slider.set(value);
    }
  }

  offline() {
    const failure = this.querySelector(".failure");
    failure.textContent = failure.dataset.offline;
    this.classList.add("stale");
  }
}

customElements.define("live-figure", LiveFigure);
