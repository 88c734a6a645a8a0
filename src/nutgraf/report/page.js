// Lights up a sentence of the summary, its origins in the sources and the reasons for it, under the pointer or the
// keyboard's focus; a word and the place that it was copied from, too. A click keeps a sentence lit, Escape lets go.
// Draws the attention of the layer and head that are picked. Without this script every link still works.
(() => {
  "use strict";
  const page = document.documentElement;
  const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const beside = matchMedia("(min-width: 60rem)");
  const parts = gather("n");
  const words = gather("w");
  let lit = [];
  let here = [];
  let kept = null;
  let timer = 0;

  function gather(key) {
    const found = new Map();
    for (const element of document.querySelectorAll(`[data-${key}]`)) {
      for (const n of element.dataset[key].split(" ")) {
        if (!found.has(n)) found.set(n, []);
        found.get(n).push(element);
      }
    }
    return found;
  }

  function point(element) {
    here.forEach((one) => one.classList.remove("here"));
    here = element ? element.dataset.w.split(" ").flatMap((n) => words.get(n)) : [];
    here.forEach((one) => one.classList.add("here"));
    const other = element?.matches(".taken") ? ".sentence [data-w]" : ".taken";
    if (beside.matches) here.find((one) => one.matches(other))?.scrollIntoView({ block: "nearest", behavior: smooth });
  }

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
    if (event.pointerType === "touch") return;
    point(event.target.closest?.("[data-w]"));
    if (kept) return;
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
    point(event.target.closest("[data-w]"));
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
    if (event.key === "Escape") {
      point(null);
      release();
    }
  });

  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.dataset.n) from(target, "auto");
  }

  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  function attend(panel) {
    const cells = [...panel.querySelectorAll("g rect")];
    const rows = [...panel.querySelectorAll(".row")];
    const columns = [...panel.querySelectorAll(".column")];
    const [layer, head] = panel.querySelectorAll("select");
    const output = panel.querySelector("output");
    const tops = panel.dataset.tops.split(" ");
    const map = () => layer.selectedIndex * panel.dataset.heads + head.selectedIndex;
    const shade = (n) => LETTERS.indexOf(panel.dataset.maps[map() * cells.length + n]) / (LETTERS.length - 1);
    const tell = (what, weight) => (output.textContent = `${what}: ${Number(weight).toFixed(3)}`);

    panel.addEventListener("change", () => {
      tell("darkest", tops[map()]);
      cells.forEach((cell, n) => cell.setAttribute("fill-opacity", shade(n)));
      panel.querySelector(".heat").setAttribute("aria-label", `Attention of layer ${layer.value}, head ${head.value}`);
    });
    panel.addEventListener("pointerover", (event) => {
      const n = cells.indexOf(event.target);
      panel.querySelectorAll("text.lit").forEach((text) => text.classList.remove("lit"));
      if (n < 0) return tell("darkest", tops[map()]);
      const pair = [rows[Math.floor(n / rows.length)], columns[n % rows.length]];
      pair.forEach((text) => text.classList.add("lit"));
      // A shade is the root of a value's share in the greatest one.
      tell(`${pair[0].textContent} → ${pair[1].textContent}`, shade(n) ** 2 * tops[map()]);
    });
  }

  document.querySelectorAll(".attention").forEach(attend);
  addEventListener("hashchange", follow);
  page.classList.add("js");
  follow();
})();
