// Copies the text that a button names, and says so. Where the clipboard is closed to pages, it is copied by selection.
async function copy(text) {
  if (navigator.clipboard?.writeText) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // The clipboard may be forbidden here; the older way still works then.
    }
  }
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("The text could not be copied");
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const output = button.parentElement.querySelector("output");
  try {
    await copy(document.getElementById(button.dataset.copy).textContent);
    output.value = "Copied.";
  } catch {
    output.value = "This browser does not let the page copy; select the text instead.";
  }
  setTimeout(() => (output.value = ""), 4000);
  button.focus();
});
