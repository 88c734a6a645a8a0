// What differs between two texts, word by word.

const split = (text) => text.split(/\s+/).filter(Boolean);

// Lengths of the longest common subsequences of all pairs of ends.
function table(left, right) {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

// Stretches of a text: whether another text has them, too, in the same order.
export function stretches(text, other) {
  const [left, right] = [split(text), split(other)];
  const lengths = table(left, right);
  const found = [];
  let j = 0;
  left.forEach((word, i) => {
    while (j < right.length && left[i] !== right[j] && lengths[i][j + 1] > lengths[i + 1][j]) j += 1;
    const common = j < right.length && left[i] === right[j];
    if (common) j += 1;
    if (found.at(-1)?.common === common) found.at(-1).words.push(word);
    else found.push({ common, words: [word] });
  });
  return found.map(({ common, words }) => ({ common, text: words.join(" ") }));
}

// The sentence that shares most words with one, if it is at least half of both; undefined if none does.
export function closest(sentence, others) {
  const words = split(sentence);
  const shared = (other) => {
    const left = new Map();
    split(other).forEach((word) => left.set(word, (left.get(word) ?? 0) + 1));
    const common = words.filter((word) => left.get(word) > 0 && left.set(word, left.get(word) - 1)).length;
    return (2 * common) / (words.length + split(other).length || 1);
  };
  const rated = others.map((other) => [shared(other), other]).sort(([one], [two]) => two - one);
  return rated[0]?.[0] >= 0.5 ? rated[0][1] : undefined;
}
