// Searches the summary and the sources, without regard to case, and marks all places; Enter goes to the next one.
const WHERE = ".summary .sentence, .text p, .text h3";
let places = [];
let at = -1;

// Letters whose small form is longer, such as İ, would shift the places.
const folded = (text) => (text.toLowerCase().length === text.length ? text.toLowerCase() : text);

function textsOf(element) {
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest(".number, .ref, .unseen")) texts.push(walker.currentNode);
  }
  return texts;
}

// The places of a wanted text in an element, whose text nodes are joined: marks may break a word.
function placesIn(element, wanted) {
  if (!folded(element.textContent).includes(wanted[0])) return [];
  const texts = textsOf(element);
  const whole = folded(texts.map((node) => node.data).join(""));
  const found = [];
  for (let start = whole.indexOf(wanted); start >= 0; start = whole.indexOf(wanted, start + wanted.length)) {
    const range = document.createRange();
    let before = 0;
    for (const node of texts) {
      const after = before + node.length;
      if (start >= before && start < after) range.setStart(node, start - before);
      if (start + wanted.length > before && start + wanted.length <= after) range.setEnd(node, start + wanted.length - before);
      before = after;
    }
    found.push(range);
  }
  return found;
}

function show(form, step) {
  const output = form.querySelector("output");
  at = places.length ? (at + step + places.length) % places.length : -1;
  output.value = form.querySelector("input").value.trim() ? (places.length ? `${at + 1} of ${places.length}` : "nothing found") : "";
  const place = places[at];
  if (globalThis.Highlight) {
    CSS.highlights.set("found", new Highlight(...places));
    CSS.highlights.set("current", new Highlight(...(place ? [place] : [])));
  }
  if (!place) return;
  const element = place.startContainer.parentElement;
  for (let around = element.closest("details:not([open])"); around; around = around.closest("details:not([open])")) around.open = true;
  element.scrollIntoView({ block: "center" });
  const line = place.getBoundingClientRect();
  const pane = element.closest(".left, .right");
  if (pane.scrollHeight > pane.clientHeight) pane.scrollBy(0, line.top - pane.getBoundingClientRect().top - pane.clientHeight / 2);
  if (!globalThis.Highlight) {
    getSelection().removeAllRanges();
    getSelection().addRange(place);
  }
}

function search(form) {
  const wanted = form.querySelector("input").value.trim();
  places = wanted ? [...document.querySelectorAll(WHERE)].flatMap((element) => placesIn(element, folded(wanted))) : [];
  at = -1;
  show(form, 1);
}

let timer = 0;
document.addEventListener("input", (event) => {
  const form = event.target.closest(".search");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(search, 150, form);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".search")) return;
  event.preventDefault();
  show(event.target, 1);
});
document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) show(step.form, Number(step.dataset.step));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest?.(".search") && event.target.value) {
    event.preventDefault();
    event.target.value = "";
    search(event.target.form);
  }
});
