"""Contrast at the logits equals both runs of the model by hand, without caches."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tiny_architectures import tiny  # noqa: E402

from nutgraf.errors import InputError  # noqa: E402
from nutgraf.steering import Span, forms  # noqa: E402
from nutgraf.steering.contrast import Contrast  # noqa: E402
from nutgraf.steering.reach import Unreachable  # noqa: E402
from nutgraf.steering.steered import Steering  # noqa: E402

LENGTH, NEW, WEIGHT, END = 9, 4, 3.0, 2
SPANS = [[Span(2, 4)], [Span(5, 6), Span(3, 4)]]

every = pytest.mark.parametrize("name", ["LED", "Falcon", "LongT5", "GPT2"])


def inputs(name: str) -> dict[str, Any]:
    torch.manual_seed(2)
    ids = torch.randint(5, 90, (2, LENGTH))
    mask = torch.ones_like(ids)
    padding = slice(LENGTH - 2, LENGTH) if tiny(name).config.is_encoder_decoder else slice(0, 2)
    ids[1, padding], mask[1, padding] = 0, 0
    return {"input_ids": ids, "attention_mask": mask}


def written(name: str, given: dict[str, Any], **options: Any) -> Any:
    processors = [Contrast(tiny(name), SPANS, given, WEIGHT)]
    lengths = {"max_new_tokens": NEW, "min_new_tokens": NEW, "return_dict_in_generate": True, "output_scores": True}
    return tiny(name).generate(**given, **lengths, do_sample=False, logits_processor=processors, **options)


@torch.no_grad()
def by_hand(name: str, given: dict[str, Any], example: int, tokens: Any) -> Any:
    """The contrast's log probability of each token that was written."""
    model = tiny(name)
    ids, mask = (given[key][example : example + 1] for key in ("input_ids", "attention_mask"))
    hidden = mask.clone()
    for start, end, _ in SPANS[example]:
        hidden[0, start:end] = 0
    found = []
    for one in (mask, hidden):
        if model.config.is_encoder_decoder:
            logits = model(input_ids=ids, attention_mask=one, decoder_input_ids=tokens[None, :-1]).logits[0]
        else:
            more = torch.cat([one, torch.ones(1, NEW, dtype=torch.long)], 1)
            places = (torch.cat([mask, torch.ones(1, NEW, dtype=torch.long)], 1).cumsum(-1) - 1).clamp_min(0)
            logits = model(input_ids=tokens[None], attention_mask=more, position_ids=places).logits[0, LENGTH - 1 : -1]
        found.append(logits)
    found[0][:, END] = -torch.inf  # as `min_new_tokens` has it
    found = [one.log_softmax(-1) for one in found]
    both = (WEIGHT * found[0] + (1 - WEIGHT) * found[1]).log_softmax(-1)
    return both.gather(-1, tokens[-NEW:, None])[:, 0]


@every
def test_a_greedy_search(name: str) -> None:
    given = inputs(name)
    done = written(name, given)
    scores = torch.stack(done.scores, 1).log_softmax(-1)
    for example, tokens in enumerate(done.sequences):
        chosen = scores[example].gather(-1, tokens[-NEW:, None])[:, 0]
        torch.testing.assert_close(chosen, by_hand(name, given, example, tokens), rtol=0, atol=1e-4)


@every
def test_a_search_with_beams(name: str) -> None:
    given = inputs(name)
    done = written(name, given, num_beams=3, num_return_sequences=2)
    for row, tokens in enumerate(done.sequences):
        expected = by_hand(name, given, row // 2, tokens).mean()
        assert done.sequences_scores[row].item() == pytest.approx(expected.item(), abs=1e-4)


def test_nothing_changes_at_a_weight_of_one() -> None:
    given = inputs("GPT2")
    scores = torch.randn(2, 97)
    found = Contrast(tiny("GPT2"), SPANS, given, 1.0)(given["input_ids"], scores)
    torch.testing.assert_close(found, scores.log_softmax(-1))


def test_something_must_be_left() -> None:
    with pytest.raises(InputError, match="highlight"):
        Contrast(tiny("GPT2"), [[Span(0, LENGTH)], []], inputs("GPT2"))


@pytest.mark.parametrize("name", ["LED", "Falcon", "Bloom"])
def test_those_that_need_it_are_refused_elsewhere(name: str) -> None:
    with pytest.raises(Unreachable):
        Steering(tiny(name), forms.make("column"))
