// The link to the offline copy asks for the state that the address tells by now.
for (const kind of ["click", "auxclick", "contextmenu"]) {
  document.addEventListener(kind, (event) => {
    const link = event.target.closest(".download a");
    if (link?.pathname === `${location.pathname}.html`) link.search = location.search;
  }, { capture: true });
}
