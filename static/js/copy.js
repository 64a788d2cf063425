// <copy-button for="id">: copies the commands shown in a list, as they can be typed, one a line; or a field.
class CopyButton extends HTMLElement {
  connectedCallback() {
    this.says = this.dataset.says ?? "Copy";
    this.button = document.createElement("button");
    Object.assign(this.button, { type: "button", textContent: this.says });
    this.replaceChildren(this.button);
    this.button.addEventListener("click", () => this.copy());
  }

  async copy() {
    const list = document.getElementById(this.getAttribute("for"));
    const commands = list.value ?? Array.from(list.querySelectorAll(":scope > li > kbd"), (kbd) => kbd.textContent).join("\n");
    const copied = await this.write(commands) || this.select(list);
    this.button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => { this.button.textContent = this.says; }, 2500);
  }

  // A page that did not come over HTTPS has no clipboard, and a frame may not use it.
  write(commands) {
    return navigator.clipboard?.writeText(commands).then(() => true, () => false) ?? false;
  }

  // Then the text is selected for the visitor to copy.
  select(list) {
    if (list.select) list.select();
    else getSelection().selectAllChildren(list);
    return false;
  }
}

customElements.define("copy-button", CopyButton);
