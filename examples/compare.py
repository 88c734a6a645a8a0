"""Compare three systems on a data set with ROUGE, as `nutgraf evaluate` does.

python examples/compare.py
"""

from pathlib import Path

from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.plan import Plan, budgets_of

EXAMPLES = Path(__file__).parent


def main() -> None:
    """Print the table; the first system is the one that the others are compared with."""
    plan = Plan(
        systems=["lead", "adaptive", "lex_rank"],
        data=str(EXAMPLES / "notices.jsonl"),
        metrics=choose("rouge,novelty"),
        budgets=budgets_of(words=[25]),
    )
    print(plan.run())


if __name__ == "__main__":
    main()
