// Phrases to see more of, as chips: a press makes one stronger, Delete removes it. The form's field keeps them.
const form = document.getElementById("ask");
const field = form.elements.highlights;
const list = document.getElementById("chips");
const input = document.getElementById("new-highlight");
const marker = document.querySelector(".marker");
const STRENGTHS = [1, 2, 4];
const LONGEST = 200;

let phrases = read();

function read() {
  const lines = field.value.split("\n").filter((line) => line.trim());
  return new Map(
    lines.map((line) => {
      const [, phrase, weight] = line.trim().match(/^(.*?)(?::([\d.]+))?$/);
      return [phrase, Number(weight) || 1];
    }),
  );
}

const level = (weight) => Math.max(1, STRENGTHS.filter((one) => one <= weight).length);

export function write(lines) {
  field.value = lines;
  phrases = read();
  draw();
}

export const lines = () => field.value;

export function said() {
  return [...phrases].map(([phrase, weight]) => (weight === 1 ? phrase : `${phrase} (strength ${level(weight)})`)).join(", ");
}

// Shows in the list of key phrases which of them are highlighted.
export function press() {
  document.querySelectorAll('button[name="toggle"]').forEach((button) => {
    const weight = phrases.get(button.value);
    button.setAttribute("aria-pressed", String(Boolean(weight)));
    button.dataset.level = weight ? level(weight) : "";
  });
}

function draw() {
  list.replaceChildren(
    ...[...phrases].map(([phrase, weight]) => {
      const item = document.createElement("li");
      const [chip, remove] = [document.createElement("button"), document.createElement("button")];
      const name = document.createElement("bdi");
      const dots = document.createElement("span");
      chip.type = remove.type = "button";
      name.textContent = phrase;
      dots.textContent = "●".repeat(level(weight)) + "○".repeat(STRENGTHS.length - level(weight));
      dots.ariaHidden = "true";
      chip.append(name, " ", dots);
      chip.className = "chip";
      chip.dataset.phrase = remove.dataset.phrase = phrase;
      chip.setAttribute("aria-label", `${phrase}, strength ${level(weight)} of ${STRENGTHS.length}`);
      chip.title = "Press for the next strength; + and − change it, Delete removes the highlight";
      remove.className = "remove";
      remove.textContent = "×";
      remove.setAttribute("aria-label", `Remove ${phrase}`);
      item.append(chip, remove);
      return item;
    }),
  );
  press();
}

function keep(focus) {
  field.value = [...phrases].map(([phrase, weight]) => `${phrase}:${weight}`).join("\n");
  draw();
  if (focus !== undefined) ([...list.querySelectorAll(".chip")].find((chip) => chip.dataset.phrase === focus) ?? input).focus();
  form.dispatchEvent(new CustomEvent("settings", { bubbles: true }));
}

const phraseOf = (text) => text.replace(/\s+/g, " ").replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "").slice(0, LONGEST);

// Adds a phrase; one that is there becomes stronger.
function add(text) {
  const phrase = phraseOf(text);
  if (!/[\p{L}\p{N}]/u.test(phrase)) return;
  const at = phrases.has(phrase) ? level(phrases.get(phrase)) : 0;
  phrases.set(phrase, STRENGTHS[Math.min(at, STRENGTHS.length - 1)]);
  keep();
}

// From one strength to the next, and after the last to the first, or away.
function step(phrase, cyclic) {
  const at = level(phrases.get(phrase));
  if (at < STRENGTHS.length) phrases.set(phrase, STRENGTHS[at]);
  else if (cyclic) phrases.set(phrase, STRENGTHS[0]);
  else phrases.delete(phrase);
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { phrase } = button.dataset;
  if (button.matches(".remove")) phrases.delete(phrase);
  else step(phrase, true);
  keep(phrase);
});
list.addEventListener("keydown", (event) => {
  const phrase = event.target.dataset.phrase;
  if (!phrases.has(phrase)) return;
  const at = level(phrases.get(phrase));
  if (event.key === "Delete" || event.key === "Backspace") phrases.delete(phrase);
  else if (event.key === "+" || event.key === "ArrowUp") phrases.set(phrase, STRENGTHS[Math.min(at, STRENGTHS.length - 1)]);
  else if (event.key === "-" || event.key === "ArrowDown") phrases.set(phrase, STRENGTHS[Math.max(at - 2, 0)]);
  else return;
  event.preventDefault();
  keep(phrase);
});
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  add(input.value);
  input.value = "";
});
input.addEventListener("change", () => {
  add(input.value);
  input.value = "";
});

// A press on a key phrase highlights it; another makes it stronger; after the greatest strength it is plain again.
document.addEventListener("click", (event) => {
  const button = event.target.closest('button[name="toggle"]');
  if (!button) return;
  event.preventDefault();
  if (phrases.has(button.value)) step(button.value, false);
  else phrases.set(button.value, 1);
  keep();
});

// Words that are marked in the sources are offered as a highlight beside the mark.
function offer() {
  const selection = getSelection();
  const inside = selection.rangeCount && selection.getRangeAt(0).commonAncestorContainer;
  const element = inside && (inside.nodeType === Node.ELEMENT_NODE ? inside : inside.parentElement);
  const text = String(selection).trim();
  if (!text || text.length > LONGEST || !element.closest?.(".text, .summary")) {
    marker.hidden = true;
    return;
  }
  const place = selection.getRangeAt(0).getBoundingClientRect();
  marker.textContent = `${phrases.has(phraseOf(text)) ? "Strengthen" : "Highlight"} “${text.length > 32 ? `${text.slice(0, 31)}…` : text.replace(/\s+/g, " ")}”`;
  marker.dataset.text = text;
  marker.hidden = false;
  marker.style.insetBlockStart = `${Math.max(8, place.top - marker.offsetHeight - 8)}px`;
  marker.style.left = `${Math.min(innerWidth - marker.offsetWidth - 8, Math.max(8, place.left))}px`;
}

let timer = 0;
document.addEventListener("selectionchange", () => {
  clearTimeout(timer);
  timer = setTimeout(offer, 120);
});
addEventListener("scroll", () => (marker.hidden = true), { capture: true, passive: true });
marker.addEventListener("pointerdown", (event) => event.preventDefault());
marker.addEventListener("click", () => {
  add(marker.dataset.text);
  getSelection().removeAllRanges();
  marker.hidden = true;
});

draw();
