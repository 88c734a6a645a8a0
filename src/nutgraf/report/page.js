// Lights up a sentence of the summary, its origins in the sources and the reasons for it, under the pointer or the
// keyboard's focus. A click keeps it lit, Escape lets go. Without this script every link still works.
(() => {
  "use strict";
  const page = document.documentElement;
  const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const beside = matchMedia("(min-width: 60rem)");
  const parts = new Map();
  for (const element of document.querySelectorAll("[data-n]")) {
    for (const n of element.dataset.n.split(" ")) {
      if (!parts.has(n)) parts.set(n, []);
      parts.get(n).push(element);
    }
  }
  let lit = [];
  let kept = null;
  let timer = 0;

  function light(numbers) {
    lit.forEach((element) => element.classList.remove("lit"));
    lit = numbers.flatMap((n) => parts.get(n) ?? []);
    lit.forEach((element) => element.classList.add("lit"));
    page.classList.toggle("lighting", lit.length > 0);
  }

  function bring(selector, block, behavior) {
    lit.find((element) => element.matches(selector))?.scrollIntoView({ block, behavior });
  }

  function from(element, behavior = smooth) {
    light(element.dataset.n.split(" "));
    if (!beside.matches) return;
    if (element.matches(".origin")) bring(".sentence", "nearest", behavior);
    else bring(".origin", "center", behavior);
  }

  function release() {
    kept = null;
    light([]);
  }

  const found = (event) => event.target.closest?.(".sentence, .origin");

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || kept) return;
    clearTimeout(timer);
    const element = found(event);
    if (element) timer = setTimeout(from, 120, element);
  });
  document.addEventListener("focusin", (event) => {
    const element = found(event);
    if (!element) return;
    kept = null;
    from(element);
  });
  document.addEventListener("click", (event) => {
    const element = found(event);
    if (element?.matches(".sentence")) {
      const byPointer = event.detail > 0;
      if (byPointer && event.target.closest("a")) event.preventDefault();
      kept = kept === element ? null : element;
      from(element);
    } else if (!event.target.closest(".whys, .origin, summary")) {
      release();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") release();
  });

  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.dataset.n) from(target, "auto");
  }

  addEventListener("hashchange", follow);
  page.classList.add("js");
  follow();
})();
