// <score-slider>: keeps a range, a number field and two buttons on one value.
//
// The element only changes its own controls; a bubbling `input` event tells the form, which htmx
// sends. The visitor's slider is never replaced by an answer.
const COARSE = 100; // Shift+arrow moves a hundredth of a long range.

class ScoreSlider extends HTMLElement {
  connectedCallback() {
    this.range = this.querySelector("input[type=range]");
    this.number = this.querySelector("input[type=number]");
    this.full = this.closest("form")?.elements.full;
    this.full?.addEventListener("input", () => this.setRange(this.full.checked));
    this.range.addEventListener("input", () => this.show(this.range.value));
    this.range.addEventListener("keydown", (event) => this.coarse(event));
    this.number.addEventListener("input", (event) => this.typed(event));
    this.number.addEventListener("change", () => { if (this.number.value === "") this.show(this.range.value); });
    this.addEventListener("click", (event) => this.nudge(event));
    this.show(this.range.value);
  }

  get value() { return Number(this.range.value); }

  // Show what the server took, without telling anyone; a field that is typed in is left alone.
  follow(value) {
    if (this.range.value === value && this.number.value === value) return;
    this.range.value = value;
    if (document.activeElement === this.number) this.drawn();
    else this.show(value);
  }

  setRange(full) {
    const [least, most] = (full ? this.dataset.fullRange : this.dataset.range).split(" ");
    for (const input of [this.range, this.number]) Object.assign(input, { min: least, max: most });
    const ends = (full ? this.dataset.fullEnds : this.dataset.ends).split("|");
    this.querySelectorAll(".slider-ends span").forEach((end, n) => { end.textContent = ends[n]; });
    this.show(this.range.value);
  }

  show(value) {
    this.range.value = value;
    this.number.value = this.value;
    this.drawn();
  }

  drawn() {
    const now = this.value, { min, max } = this.range;
    this.range.style.setProperty("--filled", `${(100 * (now - min)) / (max - min)}%`);
    this.number.style.setProperty("--digits", Math.max(3, String(now).length));
    this.range.setAttribute("aria-valuetext", this.inWords(now, Number(max)));
  }

  inWords(now, most) {
    if (this.dataset.words.includes("{+}") && now >= most) return this.dataset.words.replace(/{}.*/, `${now}, served last`);
    return this.dataset.words.replace("{}", now).replace("{+}", now + 1);
  }

  // An empty field is not sent, for more is about to be typed. A number out of range is: the
  // server says which one it took instead. The field itself is left alone while it is typed in.
  typed(event) {
    if (this.number.value === "") return event.stopPropagation();
    this.range.value = this.number.value;
    this.drawn();
  }

  coarse(event) {
    const ways = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    if (!event.shiftKey || !(event.key in ways)) return;
    event.preventDefault();
    const step = Math.max(1, Math.round((this.range.max - this.range.min) / COARSE));
    this.move(this.value + ways[event.key] * step);
  }

  nudge(event) {
    const button = event.target.closest("button[name=nudge]");
    if (!button) return;
    event.preventDefault();
    this.move(this.value + Number(button.value.split(":")[1]));
  }

  move(value) {
    this.show(value);
    this.range.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

customElements.define("score-slider", ScoreSlider);
