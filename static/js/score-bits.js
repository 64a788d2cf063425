// <score-bits>: the 64 cells are one widget. One of them is in the tab order, the arrow keys walk on;
// the cell that has the focus says which bit it is, and of what. With data-strip the cells are those
// of a figure that shows its bits as digits: after each answer they are set as the digits stand.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -64, End: 64 };
const NAMES = { fraction: "behind the point", integer: "the whole number" };
const OF_NO_NUMBER = ["sign", "exponent", "fraction"];

class ScoreBits extends HTMLElement {
  at = 63 - 32; // which cell is in the tab order, from the left

  connectedCallback() {
    this.addEventListener("keydown", (event) => this.walk(event));
    this.addEventListener("focusin", (event) => this.enter(event.target));
    this.closest("live-figure").addEventListener("figure:answered", (event) => this.answered(event.detail));
    this.rove();
  }

  get cells() { return [...this.querySelectorAll("button")]; }

  rove() {
    this.cells.forEach((cell, n) => { cell.tabIndex = n === this.at ? 0 : -1; });
  }

  enter(cell) {
    const cells = this.cells, at = cells.indexOf(cell);
    if (at < 0) return;
    this.at = at;
    this.rove();
    const field = cell.closest(".field");
    cell.setAttribute("aria-label", `bit ${cell.value}, ${field.dataset.name}: ${cell.textContent}`);
  }

  walk(event) {
    const cells = this.cells;
    // Up and down go by the row that is drawn.
    const row = cells.filter((one) => one.offsetTop === cells[0].offsetTop).length;
    const step = STEPS[event.key] ?? { ArrowUp: -row, ArrowDown: row }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    cells[Math.min(63, Math.max(0, this.at + step))]?.focus();
  }

  answered(state) {
    const focused = document.activeElement, inside = this.contains(focused);
    if (this.dataset.strip) this.draw(...document.getElementById(this.dataset.strip).querySelectorAll("code"));
    this.rove();
    // What is put elsewhere loses the focus.
    if (inside) this.cells[this.at]?.focus();
    if (inside) this.enter(document.activeElement);
    if (!this.dataset.strip) this.retype(this.closest("form").elements, focused, state.dataset);
  }

  retype({ reading, score }, focused, state) {
    reading.value = state.reading;
    if (score !== focused || state.action === "reset") score.value = state.said;
  }

  draw(numbers, word) {
    const cells = this.cells.length ? this.cells : Array.from({ length: 64 }, (_, n) => this.cell(63 - n));
    const fields = [...(word?.children ?? [])].map((digits) => this.field(digits, cells));
    this.querySelector(".cells").replaceChildren(...fields);
    const implied = numbers?.firstElementChild;
    if (implied?.textContent.trim()) Object.assign(this.cells[11], { className: implied.className }).dataset.implied = "1";
  }

  cell(bit) {
    const cell = document.createElement("button");
    Object.assign(cell, { name: "toggle", value: bit });
    cell.setAttribute("form", this.dataset.form);
    return cell;
  }

  // The next cells, as the digits of a field of the strip stand.
  field(digits, cells) {
    const of = digits.className.replace("fact-", ""), field = document.createElement("span");
    field.className = `field ${digits.className}`;
    field.dataset.name = NAMES[of] ?? of;
    field.setAttribute("role", "group");
    field.setAttribute("aria-label", `${field.dataset.name}: ${BigInt(`0b${digits.textContent}`)}`);
    for (const digit of digits.textContent) {
      const cell = cells.shift();
      cell.textContent = digit;
      for (const name of ["class", "aria-label", "data-implied"]) cell.removeAttribute(name);
      if (OF_NO_NUMBER.includes(of)) delete cell.dataset.n;
      else cell.dataset.n = digit;
      field.append(cell);
    }
    return field;
  }
}

customElements.define("score-bits", ScoreBits);
