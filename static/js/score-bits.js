// <score-bits>: the 64 cells are one widget. One of them is in the tab order, the arrow keys walk on;
// the cell that has the focus says which bit it is, and of what.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -64, End: 64 };

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
    this.rove();
    const focused = document.activeElement;
    if (this.contains(focused)) this.enter(focused);
    const said = this.closest("form").elements.score;
    this.closest("form").elements.reading.value = state.dataset.reading;
    if (said !== focused || state.dataset.action === "reset") said.value = state.dataset.said;
  }
}

customElements.define("score-bits", ScoreBits);
