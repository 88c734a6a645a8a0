// A sitting: documents and settings of the form become a summary, which changes in place whenever one of them does.
import * as documents from "./documents.js";
import * as highlights from "./highlights.js";
import * as history from "./history.js";
import * as menu from "./menu.js";
import { ask } from "./requests.js";

const form = document.getElementById("ask");
const { words, system, query, language, by, depth, edit, keep_all: keepAll, show: shows } = form.elements;
const slider = document.getElementById("slider");
const natural = form.querySelector('[data-do="natural"]');
const about = document.getElementById("about-system");
const status = document.querySelector(".status");
const failure = document.querySelector(".failure");
const bar = document.querySelector(".progress");
const [SHORTEST_SLIDE, LONGEST_SLIDE] = [20, 1000];

let asking = null;
let shown = null;
let asked = "";
let longest = 500;

// The documents as a text, which tells whether they have changed.
function given() {
  const { texts, files } = documents.read();
  return JSON.stringify([texts, files.map(({ name, size, lastModified }) => [name, size, lastModified])]);
}
const sentences = () => [...document.querySelectorAll(".summary .sentence")].map((one) => {
  const copy = one.cloneNode(true);
  copy.querySelectorAll(".number, del").forEach((number) => number.remove());
  return copy.textContent.trim();
});

// Minutes and agreement are found in the documents; no other setting changes them.
const isFound = () => ["minutes", "agreement"].includes(shows.value);

function settings(made) {
  const { texts, files } = documents.read();
  const titles = [...texts.filter(({ text }) => text.trim()).map(({ title, text }) => title || `${text.trim().slice(0, 30)}…`), ...files.map(({ name }) => name)];
  const chosen = [...shows].find(({ checked }) => checked).parentElement.textContent;
  const parts = [`by ${by.value}`, depth.value && `${depth.value} levels`].filter(Boolean).join(", ");
  const common = { show: shows.value === "summary" ? "" : shows.value === "parts" ? parts : chosen, language: language.value && language.selectedOptions[0].textContent, documents: titles.join(", ") };
  if (isFound()) return { system: "", words: "", highlights: "", query: "", edited: "", kept: "", ...common };
  return {
    ...common,
    system: system.selectedOptions[0].textContent,
    words: words.value ? `${words.value} words` : `natural length (${made.length} words)`,
    highlights: highlights.said(),
    query: query.value.trim(),
    edited: edit.checked ? "shortened" : "",
    kept: keepAll.checked ? "all sentences" : "",
  };
}

function state(made) {
  return { made, documents: documents.read(), words: words.value, system: system.value, query: query.value, language: language.value, show: shows.value, by: by.value, depth: depth.value, edit: edit.checked, keepAll: keepAll.checked, highlights: highlights.lines() };
}

// Puts the parts of a summary into their places. What was in view stays there, and so does the focus.
function show(made, fresh) {
  const focused = document.activeElement?.name === "toggle" ? document.activeElement.value : null;
  const at = document.querySelector(".right")?.scrollTop ?? 0;
  for (const slot of document.querySelectorAll("[data-slot]")) {
    const parts = document.createElement("template");
    parts.innerHTML = made.slots[slot.dataset.slot];
    slot.replaceChildren(parts.content);
  }
  document.documentElement.classList.remove("choosing");
  document.body.classList.add("made");
  document.title = `${made.title} – nutgraf`;
  if (focused !== null) [...document.querySelectorAll('button[name="toggle"]')].find((one) => one.value === focused)?.focus();
  highlights.press();
  documents.refuse(made.refused);
  longest = Math.min(LONGEST_SLIDE, Math.max(2 * SHORTEST_SLIDE, made.words));
  slide(made.length);
  const right = document.querySelector(".right");
  const first = right.querySelector(".origin");
  if (fresh && first && getComputedStyle(right).overflowY === "auto") first.scrollIntoView({ block: "center" });
  else right.scrollTop = at;
  shown = made;
  tellShows();
}

// Folds the documents away, unless somebody is about to give another one.
function fold() {
  const details = document.querySelector(".documents");
  const active = details.contains(document.activeElement) ? document.activeElement : null;
  if (details.querySelector(".refusal") || documents.isTyped() || given() !== asked || (active?.matches("input, textarea") && !active.value)) return;
  if (active) details.querySelector("summary").focus();
  details.open = false;
}

// The slider is finer where summaries are short: each step changes the length by the same share.
function wordsAt(position) {
  const exact = SHORTEST_SLIDE * (longest / SHORTEST_SLIDE) ** (position / slider.max);
  const step = exact < 50 ? 1 : exact < 200 ? 5 : 10;
  return Math.min(longest, step * Math.round(exact / step));
}

const positionOf = (count) => (slider.max * Math.log(Math.max(1, count) / SHORTEST_SLIDE)) / Math.log(longest / SHORTEST_SLIDE);

function slide(length) {
  if (document.activeElement !== slider || !words.value) slider.value = positionOf(words.value || length);
  slider.setAttribute("aria-valuetext", words.value ? `${words.value} words` : `natural length, ${length} words`);
  natural.hidden = !words.value;
}

function progress({ share, said }) {
  const gauge = bar.querySelector("progress");
  if (share === null) gauge.removeAttribute("value");
  else gauge.value = share;
  bar.querySelector("span").textContent = `${said} …`;
}

// Nothing is left to summarize.
function clear() {
  if (!shown) return;
  shown = null;
  asked = "";
  document.querySelectorAll("[data-slot]").forEach((slot) => slot.replaceChildren());
  document.body.classList.remove("made");
  document.querySelector(".documents").open = true;
  document.title = "nutgraf";
  bar.hidden = true;
  failure.textContent = "";
  documents.refuse([]);
  status.textContent = "There is nothing to summarize any more.";
  tellShows();
}

// None of the documents can be read; beside each of them stands why.
function refused(refusals) {
  documents.refuse(refusals);
  failure.textContent = shown ? "None of the documents can be read; the summary is that of those before." : "";
}

async function summarize(fresh = false) {
  asking?.abort();
  if (documents.isEmpty()) {
    clear();
    return;
  }
  if (documents.isTooLarge()) {
    refused([]);
    return;
  }
  const mine = (asking = new AbortController());
  asked = given();
  const waiting = setTimeout(() => (bar.hidden = false), 300);
  document.body.setAttribute("aria-busy", "true");
  failure.textContent = "";
  progress({ share: 0, said: "Sending" });
  try {
    const made = await ask(documents.fields(), mine.signal, progress);
    if (mine !== asking) return;
    const first = !shown;
    show(made, fresh || first);
    if (first) fold();
    history.add(settings(made), sentences(), state(made));
    status.textContent = made.said;
  } catch (error) {
    if (error.name === "AbortError" || mine !== asking) return;
    asked = "";
    if (error.refused?.length) refused(error.refused);
    else failure.textContent = error.message;
  } finally {
    clearTimeout(waiting);
    if (mine === asking) {
      bar.hidden = true;
      document.body.removeAttribute("aria-busy");
    }
  }
}

bar.querySelector("button").addEventListener("click", () => {
  asking?.abort();
  failure.textContent = shown ? "Stopped; the summary is that of the settings before." : "Stopped.";
  words.focus();
});

let timer = 0;
function soon(fresh = false) {
  clearTimeout(timer);
  timer = setTimeout(summarize, 200, fresh);
}

history.whenChosen((kept) => {
  asking?.abort();
  clearTimeout(timer);
  documents.write(kept.documents);
  asked = given();
  Object.assign(words, { value: kept.words });
  menu.choose(kept.system);
  query.value = kept.query;
  language.value = kept.language;
  shows.value = kept.show;
  by.value = kept.by;
  depth.value = kept.depth;
  edit.checked = kept.edit;
  keepAll.checked = kept.keepAll;
  highlights.write(kept.highlights);
  failure.textContent = "";
  tellSystem();
  show(kept.made, false);
  status.textContent = kept.made.said;
});

// One document agrees with nothing; a file may hold several.
function tellShows() {
  const { texts, files } = documents.read();
  const count = Math.max(shown?.documents ?? 0, texts.filter(({ text }) => text.trim()).length + files.length);
  const agreement = [...shows].find(({ value }) => value === "agreement");
  agreement.parentElement.hidden = count < 2;
  if (count < 2 && agreement.checked) shows.value = "summary";
}

function tellSystem() {
  about.textContent = system.selectedOptions[0].dataset.about;
  about.hidden = !about.textContent;
}

let sliding = 0;
slider.addEventListener("input", () => {
  words.value = wordsAt(slider.value);
  slide();
  clearTimeout(timer);
  sliding ||= setTimeout(() => {
    sliding = 0;
    summarize();
  }, 200);
});
words.addEventListener("input", () => {
  slide(shown?.length ?? 0);
  failure.textContent = words.validity.valid ? "" : "The length is a number of words, 1 or more.";
  if (words.validity.valid) soon();
});
natural.addEventListener("click", () => {
  words.value = "";
  slide(shown?.length ?? 0);
  words.focus();
  soon();
});
system.addEventListener("change", () => {
  tellSystem();
  soon();
});
query.addEventListener("change", () => soon());
edit.addEventListener("change", () => soon());
keepAll.addEventListener("change", () => soon());
by.addEventListener("change", () => soon());
depth.addEventListener("change", () => depth.validity.valid && soon());
shows.forEach((one) => one.addEventListener("change", () => documents.isEmpty() || soon(true)));
language.addEventListener("change", () => documents.isEmpty() || soon());
form.addEventListener("settings", () => soon());
form.addEventListener("documents", () => {
  if (given() === asked) return;
  shown &&= { ...shown, documents: 0 };
  tellShows();
  soon(true);
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  if (documents.isEmpty()) {
    failure.textContent = "There is nothing to summarize yet; paste a text or choose a file.";
    form.querySelector("textarea").focus();
    return;
  }
  clearTimeout(timer);
  documents.settle();
  summarize(true).then(fold);
});

tellSystem();
tellShows();
