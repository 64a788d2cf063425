// <copy-button for="id">: copies the commands shown in a list, as they can be typed, one a line.
class CopyButton extends HTMLElement {
  connectedCallback() {
    this.innerHTML = '<button type="button">Copy</button>';
    this.button = this.firstChild;
    this.button.addEventListener("click", () => this.copy());
  }

  async copy() {
    const list = document.getElementById(this.getAttribute("for"));
    const commands = Array.from(list.querySelectorAll(":scope > li > kbd"), (kbd) => kbd.textContent).join("\n");
    const copied = await navigator.clipboard.writeText(commands).then(() => true, () => this.select(list));
    this.button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => { this.button.textContent = "Copy"; }, 2500);
  }

  // Where a frame may not use the clipboard, the text is selected for the visitor to copy.
  select(list) {
    getSelection().selectAllChildren(list);
    return false;
  }
}

customElements.define("copy-button", CopyButton);
