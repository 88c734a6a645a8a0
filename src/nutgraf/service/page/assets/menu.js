// The menu of systems, most of which are folded away behind "More…" until somebody asks for them.
const menu = document.getElementById("system");
const groups = [...menu.querySelectorAll("[data-more]")];
const more = new Option("More…", "");
let chosen = menu.value;

function unfold() {
  more.remove();
  menu.append(...groups);
}

// Chooses a system by its name, wherever it stands.
export function choose(name) {
  if (![...menu.options].some(({ value }) => value === name)) unfold();
  menu.value = chosen = name;
}

if (groups.length && !menu.selectedOptions[0]?.closest("[data-more]")) {
  groups.forEach((group) => group.remove());
  menu.append(more);
}
menu.addEventListener("change", (event) => {
  if (menu.selectedOptions[0] !== more) {
    chosen = menu.value;
    return;
  }
  event.stopImmediatePropagation();
  unfold();
  menu.value = chosen;
  document.querySelector(".status").textContent = "The menu lists all systems now.";
  try {
    menu.showPicker();
  } catch {
    // The browser opens no menu by itself; the reader does.
  }
});
