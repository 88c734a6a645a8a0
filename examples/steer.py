"""Steer a summary: the same two articles, without and with a highlight.

python examples/steer.py
"""

from pathlib import Path

import nutgraf

EXAMPLES = Path(__file__).parent


def main() -> None:
    """Print both summaries, and which sentences the highlight brought in."""
    summarize = nutgraf.load()
    articles = [EXAMPLES / "island.txt", EXAMPLES / "bridge.md"]
    plain = summarize(articles, words=80)
    steered = summarize(articles, words=80, highlights={"bridge keeper": 2.0})
    print(f"Without a highlight ({plain.words} words):\n{plain}\n")
    print(f"With 'bridge keeper' highlighted ({steered.words} words):\n{steered}\n")
    known = {sentence.text for sentence in plain.sentences}
    for sentence in steered.sentences:
        if sentence.text not in known:
            origin = sentence.origins[0]
            print(
                f"New, from {articles[origin.source].name}, characters {origin.start} to {origin.end}: {sentence.text}"
            )


if __name__ == "__main__":
    main()
