// Draws the attention of the layer and head that are picked, and names a weight under the pointer.
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function drawing(panel) {
  const cells = [...panel.querySelectorAll("g rect")];
  const [layer, head] = panel.querySelectorAll("select");
  const map = layer.selectedIndex * panel.dataset.heads + head.selectedIndex;
  const shade = (n) => LETTERS.indexOf(panel.dataset.maps[map * cells.length + n]) / (LETTERS.length - 1);
  const top = Number(panel.dataset.tops.split(" ")[map]);
  const tell = (what, weight) => (panel.querySelector("output").textContent = `${what}: ${weight.toFixed(3)}`);
  return { cells, layer: layer.value, head: head.value, shade, top, tell };
}

document.addEventListener("change", (event) => {
  const panel = event.target.closest(".attention");
  if (!panel) return;
  const { cells, layer, head, shade, top, tell } = drawing(panel);
  tell("darkest", top);
  cells.forEach((cell, n) => cell.setAttribute("fill-opacity", shade(n)));
  panel.querySelector(".heat").setAttribute("aria-label", `Attention of layer ${layer}, head ${head}`);
});

document.addEventListener("pointerover", (event) => {
  const panel = event.target.closest?.(".attention");
  if (!panel) return;
  const { cells, shade, top, tell } = drawing(panel);
  const n = cells.indexOf(event.target);
  panel.querySelectorAll("text.lit").forEach((text) => text.classList.remove("lit"));
  if (n < 0) return tell("darkest", top);
  const [rows, columns] = [panel.querySelectorAll(".row"), panel.querySelectorAll(".column")];
  const pair = [rows[Math.floor(n / rows.length)], columns[n % rows.length]];
  pair.forEach((text) => text.classList.add("lit"));
  // A shade is the root of a value's share in the greatest one.
  tell(`${pair[0].textContent} → ${pair[1].textContent}`, shade(n) ** 2 * top);
});
