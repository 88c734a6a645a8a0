// The summaries of this sitting, which are kept in the page only; and two of them side by side.
import { closest, stretches } from "./differences.js";

const section = document.querySelector(".history");
const dialog = document.getElementById("comparison");
const MOST = 20;
const NAMES = { system: "System", words: "Length", query: "Question", highlights: "Highlights", language: "Language", documents: "Documents" };

let entries = [];
let current = null;
let restore = () => {};

export const whenChosen = (listener) => (restore = listener);

// Keeps a summary: its settings in words, its sentences, and what it takes to show it again.
export function add(settings, sentences, state) {
  const same = entries.find((one) => JSON.stringify(one.settings) === JSON.stringify(settings));
  current = same ?? { settings, number: (entries.at(-1)?.number ?? 0) + 1 };
  Object.assign(current, { sentences, state });
  if (!same) entries = [...entries, current].slice(-MOST);
  draw();
}

// The documents are named where they are not always the same.
function label({ settings, number }) {
  const same = entries.every((one) => one.settings.documents === settings.documents);
  const query = settings.query && `“${settings.query}”`;
  return `${number}. ${[settings.system, settings.words, settings.highlights, query, settings.language, !same && settings.documents].filter(Boolean).join(" · ")}`;
}

function draw() {
  section.hidden = entries.length < 2;
  section.querySelector("ol").replaceChildren(
    ...entries.map((entry) => {
      const [item, button] = [document.createElement("li"), document.createElement("button")];
      button.type = "button";
      button.textContent = label(entry);
      if (entry === current) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => {
        current = entry;
        draw();
        restore(entry.state);
        section.querySelector("[aria-current]").focus();
      });
      item.append(button);
      return item;
    }),
  );
}

function option(entry, chosen) {
  const made = document.createElement("option");
  made.value = entry.number;
  made.textContent = label(entry);
  made.selected = entry === chosen;
  return made;
}

function side(chosen, name) {
  const [article, header, select, list] = ["article", "p", "select", "ol"].map((tag) => document.createElement(tag));
  article.setAttribute("aria-label", name);
  select.setAttribute("aria-label", name);
  select.append(...entries.map((entry) => option(entry, chosen)));
  header.append(select);
  article.append(header, list);
  return article;
}

const chosen = (article) => entries.find(({ number }) => number === Number(article.querySelector("select").value));

function labelled(tag, name, said, text) {
  const [made, hidden] = [document.createElement(tag), document.createElement("span")];
  hidden.className = "said";
  hidden.textContent = said;
  if (name) made.className = name;
  made.append(hidden, text);
  return made;
}

// Words that only one side has are deleted at the left and inserted at the right.
function marked(sentence, like, tag) {
  return stretches(sentence, like).flatMap(({ common, text }) => [common ? text : labelled(tag, "", "only here: ", text), " "]);
}

function show(article, own, other, tag) {
  const others = other.sentences.filter((sentence) => !own.sentences.includes(sentence));
  article.querySelector("ol").replaceChildren(
    ...own.sentences.map((sentence) => {
      const item = document.createElement("li");
      item.dir = "auto";
      if (other.sentences.includes(sentence)) {
        item.append(sentence);
        return item;
      }
      const like = closest(sentence, others);
      item.className = "differs";
      if (like) item.append(...marked(sentence, like, tag));
      else item.append(sentence, " ", labelled("span", "only", "", "only here"));
      return item;
    }),
  );
}

// Says what differs between the two chosen summaries, and marks the sentences and words that only one has.
function compare() {
  const [left, right] = dialog.querySelectorAll("article");
  const [one, other] = [chosen(left), chosen(right)];
  show(left, one, other, "del");
  show(right, other, one, "ins");
  const settings = Object.keys(NAMES).filter((key) => one.settings[key] !== other.settings[key]);
  const changes = settings.map((key) => `${NAMES[key]}: ${one.settings[key] || "none"} → ${other.settings[key] || "none"}`);
  const common = one.sentences.filter((sentence) => other.sentences.includes(sentence)).length;
  const both = `${common} sentence${common === 1 ? "" : "s"} in both`;
  dialog.querySelector(".differences").textContent = [...changes, both].join("; ") + ".";
}

section.querySelector('[data-do="compare"]').addEventListener("click", () => {
  const before = entries[entries.indexOf(current) - 1] ?? entries.find((entry) => entry !== current);
  dialog.querySelector(".sides").replaceChildren(side(before, "Summary at the left"), side(current, "Summary at the right"));
  compare();
  dialog.showModal();
});
dialog.addEventListener("change", compare);
dialog.querySelector('[data-do="close"]').addEventListener("click", () => dialog.close());
