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
    const copied = await this.write(commands) || this.select(list);
    this.button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => { this.button.textContent = "Copy"; }, 2500);
  }

  // A page that did not come over HTTPS has no clipboard, and a frame may not use it.
  write(commands) {
    return navigator.clipboard?.writeText(commands).then(() => true, () => false) ?? false;
  }

  // Then the text is selected for the visitor to copy.
  select(list) {
    getSelection().selectAllChildren(list);
    return false;
  }
}

customElements.define("copy-button", CopyButton);
