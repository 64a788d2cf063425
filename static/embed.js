// <score-decoder figure="composite" state="tier=2&arrival=17"> or <score-decoder dive="course/chapter/dive">:
// a frame as high as what is in it. The link inside is what stands there where no script runs.
//
// Attributes: dive or figure, state (the query of its address), parts, lock, ask, theme, note, title, height.
// Events: ready, resize, step, complete; their detail is what the frame told.
const OPTIONS = ["parts", "lock", "ask", "theme", "note", "title"];
const LEAST = 120, MOST = 40000;
const site = new URL(import.meta.url).origin;

class ScoreDecoder extends HTMLElement {
  static observedAttributes = ["dive", "figure", "state", ...OPTIONS];

  connectedCallback() {
    this.frame = document.createElement("iframe");
    Object.assign(this.frame, { title: this.getAttribute("title") ?? this.textContent.trim(), loading: "lazy" });
    Object.assign(this.frame.style, { display: "block", width: "100%", border: "0", height: `${this.getAttribute("height") ?? 640}px` });
    this.frame.src = this.address;
    (this.shadowRoot ?? this.attachShadow({ mode: "open" })).replaceChildren(this.frame);
    this.hears = new AbortController();
    addEventListener("message", (event) => this.heard(event), { signal: this.hears.signal });
  }

  disconnectedCallback() { this.hears.abort(); }

  attributeChangedCallback() {
    if (this.frame?.isConnected && this.frame.src !== this.address) this.frame.src = this.address;
  }

  get address() {
    const address = new URL(`/embed/${this.getAttribute("figure") ?? this.getAttribute("dive") ?? ""}`, site);
    address.search = this.getAttribute("state") ?? "";
    for (const name of OPTIONS) if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name) || "1");
    return address.href;
  }

  heard({ source, data }) {
    if (source !== this.frame.contentWindow || data?.source !== "score-decoder") return;
    const { type, height } = data;
    if (!["ready", "resize", "step", "complete"].includes(type)) return;
    if (type === "resize" && Number.isFinite(height)) this.frame.style.height = `${Math.min(MOST, Math.max(LEAST, height))}px`;
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail: data }));
  }
}

if (!customElements.get("score-decoder")) customElements.define("score-decoder", ScoreDecoder);
