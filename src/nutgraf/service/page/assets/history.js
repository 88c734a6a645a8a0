// The summaries of this sitting, which are kept in the page only; and two of them side by side.
import { difference } from "./requests.js";

const section = document.querySelector(".history");
const dialog = document.getElementById("comparison");
const MOST = 20;
const NAMES = { show: "Shown", system: "System", words: "Length", query: "Question", highlights: "Highlights", language: "Language", edited: "Sentences", kept: "Kept", documents: "Documents" };

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
  return `${number}. ${[settings.show, settings.system, settings.words, settings.highlights, query, settings.language, settings.edited, settings.kept, !same && settings.documents].filter(Boolean).join(" · ")}`;
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

function side(entry, name) {
  const [article, select, about, text] = ["article", "select", "p", "p"].map((tag) => document.createElement(tag));
  article.setAttribute("aria-label", name);
  select.setAttribute("aria-label", name);
  select.append(...entries.map((one) => option(one, entry)));
  about.className = "quiet";
  text.className = "compared";
  text.dir = "auto";
  article.append(select, about, text);
  return article;
}

const chosen = (article) => entries.find(({ number }) => number === Number(article.querySelector("select").value));

// Says what differs between the two chosen summaries, and marks the words that only one has, as the report does.
let asked = null;
async function compare() {
  const mine = (asked = {});
  const sides = [...dialog.querySelectorAll("article")];
  const [one, other] = sides.map(chosen);
  sides.forEach((article) => (article.querySelector(".quiet").textContent = label(chosen(article))));
  const settings = Object.keys(NAMES).filter((key) => one.settings[key] !== other.settings[key]);
  const changes = settings.map((key) => `${NAMES[key]}: ${one.settings[key] || "none"} → ${other.settings[key] || "none"}`);
  const common = one.sentences.filter((sentence) => other.sentences.includes(sentence)).length;
  const said = dialog.querySelector(".differences");
  said.textContent = `${[...changes, `${common} sentence${common === 1 ? "" : "s"} in both`].join("; ")}.`;
  try {
    const { before, after } = await difference(one.sentences, other.sentences);
    if (mine !== asked) return;
    [before, after].forEach((text, number) => (sides[number].querySelector(".compared").innerHTML = text));
  } catch (error) {
    if (mine === asked) said.textContent = error.message;
  }
}

section.querySelector('[data-do="compare"]').addEventListener("click", () => {
  const before = entries[entries.indexOf(current) - 1] ?? entries.find((entry) => entry !== current);
  dialog.querySelector(".sides").replaceChildren(side(before, "Summary at the left"), side(current, "Summary at the right"));
  compare();
  dialog.showModal();
});
dialog.addEventListener("change", compare);
dialog.querySelector('[data-do="close"]').addEventListener("click", () => dialog.close());
