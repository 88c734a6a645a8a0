// Lights a sentence of the summary and the places that it comes from under the pointer. A click, or the keyboard's focus,
// chooses it: the panel says why it is there, and the other side of the page is brought to where it stands. Escape lets
// go. A word lights the place that it was copied from, too. Without this script every link still works.
const page = document.documentElement;
const beside = matchMedia("(min-width: 60rem)");

const parts = (numbers) => numbers.length ? document.querySelectorAll(numbers.map((n) => `[data-n~="${n}"]`).join()) : [];
const numbersOf = (element) => element?.dataset.n.split(" ") ?? [];
const found = (event) => event.target.closest?.(".sentence, .origin, .tick");

function mark(name, elements) {
  document.querySelectorAll(`.${name}`).forEach((element) => element.classList.remove(name));
  elements.forEach((element) => element.classList.add(name));
}

function reveal(element) {
  for (let around = element?.closest("details:not([open])"); around; around = around.closest("details:not([open])")) {
    around.open = true;
  }
  return element;
}

const bring = (element, block) => reveal(element)?.scrollIntoView({ block });

// Chooses the sentences that an element stands for, and brings their other ends into view.
function choose(element) {
  const chosen = [...parts(numbersOf(element))];
  mark("lit", []);
  mark("chosen", chosen);
  page.classList.toggle("choosing", chosen.length > 0);
  if (!element) return;
  const panel = document.querySelector(".whys");
  const pane = beside.matches ? panel.closest(".left") : page;
  pane.style.scrollPaddingBlockEnd = `${panel.offsetHeight + 16}px`;
  if (element.matches(".sentence")) bring(element, "nearest");
  if (!beside.matches) return;
  if (element.matches(".sentence")) bring(chosen.find((one) => one.matches(".origin")), "center");
  else bring(chosen.find((one) => one.matches(".sentence")), "nearest");
  if (element.matches(".tick")) bring(chosen.find((one) => one.matches(".origin")), "center");
}

function point(element) {
  const copies = element ? element.dataset.w.split(" ").flatMap((n) => [...document.querySelectorAll(`[data-w~="${n}"]`)]) : [];
  mark("here", copies);
  if (!beside.matches) return;
  copies.find((one) => one.matches(element.matches(".taken") ? ".sentence [data-w]" : ".taken"))?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  mark("lit", parts(numbersOf(found(event))));
  const word = event.target.closest?.("[data-w]");
  if (word || document.querySelector(".here")) point(word);
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches(".number, .ref")) choose(found(event));
});

document.addEventListener("click", (event) => {
  if (String(getSelection()) && event.detail > 0) return;
  const element = found(event);
  if (element) {
    // On a narrow page the link of a sentence leads to the panel, and the links there to the sources.
    if (event.target.closest("a") && (event.detail > 0 || beside.matches)) event.preventDefault();
    const again = event.detail > 0 && !event.target.closest("a") && element.matches(".chosen");
    choose(again ? null : element);
  } else if (event.target.closest('a[href^="#"]')) {
    reveal(document.getElementById(event.target.closest("a").hash.slice(1)));
  } else if (!event.target.closest(".whys, .right, button, input, select, textarea, summary, label")) {
    choose(null);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  mark("here", []);
  choose(null);
});

function follow() {
  const target = reveal(document.getElementById(decodeURIComponent(location.hash.slice(1))));
  if (target?.matches(".sentence, .origin")) choose(target);
}

addEventListener("hashchange", follow);
page.classList.add("js");
follow();
if (!location.hash && beside.matches) document.querySelector(".origin")?.scrollIntoView({ block: "center" });
