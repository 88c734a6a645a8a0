"""Tokens with tags given by hand: "old/A mills/N turn", one sentence a line."""

from dataclasses import replace

from nutgraf.text.document import Document, Section
from nutgraf.text.tagging import Tagged

TAGS = {"A": "ADJ", "N": "NOUN", "P": "PROPN", "": "VERB"}


def tagged(marked: str) -> Tagged:
    """Tokens are parted by spaces; each line is also a part of the document, as if it were joined."""
    words, tags, spans, starts, lines, offset = [], [], [], [], [], 0
    for line in marked.split("\n"):
        starts.append(len(words))
        begin = offset
        for token in line.split(" "):
            word, _, letter = token.partition("/")
            words.append(word)
            tags.append(TAGS[letter])
            spans.append((offset, offset + len(word)))
            offset += len(word) + 1
        lines.append((begin, offset - 1))
    text = "\n".join(" ".join(words[start:end]) for start, end in zip(starts, [*starts[1:], len(words)], strict=True))
    document = Document.of(text, language="en", sentences=lines)
    joined = replace(document, parts=tuple(Section("", start, end) for start, end in lines))
    return Tagged(joined, words, tags, spans, starts)
