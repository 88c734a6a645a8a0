// Texts and files of the form: added, removed, dropped and pasted.
const form = document.getElementById("ask");
const texts = document.getElementById("texts");
const input = form.elements.file;
const list = document.getElementById("files");
const PAUSE = 1500;
const LONGEST_NAME = 200;
const changed = () => form.dispatchEvent(new CustomEvent("documents", { bubbles: true }));
const fieldsets = () => [...texts.querySelectorAll(":scope > .document")];

export function read() {
  return {
    texts: fieldsets().map((one) => ({
      title: one.querySelector("input").value,
      text: one.querySelector("textarea").value,
    })),
    files: [...input.files],
  };
}

export function write(documents) {
  fieldsets().forEach((one) => one.remove());
  (documents.texts.length ? documents.texts : [{ title: "", text: "" }]).forEach(({ title, text }) => add(title, text));
  setFiles(documents.files);
}

const most = () => Number(form.dataset.mostBytes);
const fits = (file) => file.size <= most();
const filled = () => fieldsets().filter((one) => one.querySelector("textarea").value.trim());

// Shortens a name in its middle: the service refuses a form with a longer one.
const shortened = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 41)}…${name.slice(-40)}` : name);

// Returns the form without files that are too large to be sent.
export function fields() {
  const made = new FormData(form);
  made.delete("file");
  [...input.files].filter(fits).forEach((file) => made.append("file", file, shortened(file.name)));
  return made;
}

// Tells whether something is too large, and nothing else is there.
export const isTooLarge = () => !filled().length && input.files.length > 0 && ![...input.files].some(fits);

// Says at each document why it cannot be read. Numbers count the texts that are not empty, then the files that were sent.
export function refuse(refusals) {
  document.getElementById("refused")?.remove();
  const files = [...input.files].map((file, number) => ({ file, item: list.children[number] }));
  const places = [...filled(), ...files.filter(({ file }) => fits(file)).map(({ item }) => item)];
  const whys = new Map(refusals.map(([number, why]) => [places[number], why]));
  for (const { file, item } of files.filter(({ file }) => !fits(file))) whys.set(item, `It has ${size(file.size)}; the most are ${size(most())}.`);
  const fresh = [...fieldsets(), ...list.children].filter((place) => say(place, whys.get(place) ?? ""));
  if (!fresh.length) return;
  form.querySelector(".documents").open = true;
  fresh[0].scrollIntoView({ block: "nearest" });
}

// Says why a document cannot be read, "" if it can. Returns true if that is news; what was said before is not said again.
function say(place, why) {
  const before = place.querySelector(".refusal");
  const control = place.querySelector("textarea, button");
  if (!why || why !== before?.textContent) {
    before?.remove();
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
  }
  if (!why || why === before?.textContent) return false;
  const told = document.createElement("p");
  told.className = "refusal";
  told.id = `refusal-${(said += 1)}`;
  told.setAttribute("role", "alert");
  told.dir = "auto";
  told.textContent = why;
  if (control.matches("textarea")) control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", told.id);
  (control.closest("label") ?? control).after(told);
  return true;
}
let said = 0;

export const isEmpty = () => !input.files.length && !read().texts.some(({ text }) => text.trim());

function add(title = "", text = "") {
  texts.append(document.getElementById("another-text").content.cloneNode(true));
  const made = fieldsets().at(-1);
  made.querySelector("input").value = title;
  made.querySelector("textarea").value = text;
  tell();
  return made;
}

function setFiles(files) {
  const transfer = new DataTransfer();
  files.forEach((file) => transfer.items.add(file));
  input.files = transfer.files;
  draw();
  tell();
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function draw() {
  list.hidden = !input.files.length;
  list.replaceChildren(
    ...[...input.files].map((file, number) => {
      const item = document.createElement("li");
      const name = document.createElement("bdi");
      const button = document.createElement("button");
      name.textContent = name.title = shortened(file.name);
      button.type = "button";
      button.dataset.do = "remove-file";
      button.value = number;
      button.textContent = "×";
      button.setAttribute("aria-label", `Remove ${shortened(file.name)}`);
      item.append(name, ` ${size(file.size)} `, button);
      return item;
    }),
  );
}

// Says what there is: the numbers of the texts, and how many documents.
function tell() {
  const found = fieldsets();
  found.forEach((one, number) => {
    one.querySelector("legend").textContent = found.length > 1 ? `Text ${number + 1}` : "Text";
    one.querySelector("[data-do]").hidden = found.length === 1;
  });
  const count = input.files.length + read().texts.filter(({ text }) => text.trim()).length;
  document.getElementById("documents-said").textContent = count > 1 ? `(${count})` : "";
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button?.dataset.do === "add-text") add().querySelector("input").focus();
  if (button?.dataset.do === "remove-text") {
    button.closest(".document").remove();
    tell();
    fieldsets()[0].querySelector("textarea").focus();
    changed();
  }
  if (button?.dataset.do === "remove-file") {
    setFiles([...input.files].filter((_, number) => number !== Number(button.value)));
    (list.querySelector("button") ?? input).focus();
    changed();
  }
});

let before = [];
input.addEventListener("click", () => (before = [...input.files]));
input.addEventListener("change", () => {
  // To choose files once more adds to those that are there.
  setFiles([...before.filter((one) => ![...input.files].some(({ name }) => name === one.name)), ...input.files]);
  before = [];
  changed();
});

texts.addEventListener("change", () => {
  tell();
  changed();
});
texts.addEventListener("paste", () => setTimeout(() => (tell(), changed())));

// Who types a text gets a summary at the first pause.
let typing = 0;
let typed = false;
export const isTyped = () => typed;

// Whoever asks for the summary has typed all that there is to type.
export function settle() {
  clearTimeout(typing);
  typed = false;
}
texts.addEventListener("input", (event) => {
  typed = /^(insert(Text|Line|Paragraph|Composition)|delete)/.test(event.inputType ?? "");
  clearTimeout(typing);
  if (typed) typing = setTimeout(() => (tell(), changed()), PAUSE);
});

document.addEventListener("dragover", (event) => {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  setFiles([...input.files, ...event.dataTransfer.files]);
  changed();
});

// A text that is pasted outside of any field is a document, too.
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea, dialog")) return;
  const text = event.clipboardData.getData("text/plain");
  if (event.clipboardData.files.length) setFiles([...input.files, ...event.clipboardData.files]);
  else if (text.trim()) (fieldsets().find((one) => !one.querySelector("textarea").value.trim()) ?? add()).querySelector("textarea").value = text;
  else return;
  event.preventDefault();
  tell();
  changed();
});

document.querySelector("#texts > .unscripted")?.remove();
draw();
tell();
