// A check: the sources are dropped and pasted as on the page of summaries, and the browser sends the form.
import * as documents from "./documents.js";

const form = document.getElementById("ask");
const failure = document.querySelector(".failure");
const status = document.querySelector(".status");
const button = form.querySelector(".primary");

form.addEventListener("submit", (event) => {
  const said = !form.elements.summary.value.trim()
    ? "There is nothing to check yet; paste a summary."
    : documents.isEmpty()
      ? "There is nothing to check it against yet; paste a text or choose a file."
      : "";
  const tooLarge = documents.isTooLarge();
  if (!said && !tooLarge) {
    failure.textContent = "";
    status.textContent = button.textContent = "Checking …";
    button.setAttribute("aria-disabled", "true");
    return;
  }
  event.preventDefault();
  failure.textContent = said;
  if (tooLarge) documents.refuse([]);
  if (said) (form.elements.summary.value.trim() ? form.querySelector("[name=text]") : form.elements.summary).focus();
});

// A page that the browser kept, and shows again, is not at work any more.
addEventListener("pageshow", () => {
  button.textContent = "Check";
  button.removeAttribute("aria-disabled");
});
