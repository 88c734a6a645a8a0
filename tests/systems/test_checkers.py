"""Checkers whose verdicts are known, because their weights are set by hand (`tiny_checkers`)."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("transformers")

import numpy as np
import typer
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.check import check as check_command
from nutgraf.errors import InputError
from nutgraf.faithfulness.records import CheckerVerdict
from nutgraf.systems._labels import Meaning, meaning_of
from nutgraf.systems._premises import Premises, halves
from nutgraf.systems._reading_model import ReadingModel
from nutgraf.systems.verify import read_checker
from nutgraf.text.document import Document, join
from tiny_checkers import pairs, relabel, tokens

SOURCE = "The ferry left. It was noon. Nobody swam. Gulls slept. A mill burned down. The owner blames a lamp."
NLI = ("contradiction", "entailment", "neutral")
YES, SILENT, NO = "supported", "not told", "contradicted"


@pytest.fixture(autouse=True)
def without_a_network(monkeypatch):
    """An installed network would read, too."""
    monkeypatch.setattr("nutgraf.entailment.installed.find_network", lambda name: None)


@pytest.fixture(scope="module")
def at_noon(tmp_path_factory):
    """A classifier of pairs that believes whatever stands beside the word noon; it reads 24 words."""
    return pairs(tmp_path_factory.mktemp("nli") / "noon-nli", [SOURCE], "noon", NLI, 1, context=24, otherwise=2)


@pytest.fixture(scope="module")
def contradicts(tmp_path_factory):
    """A classifier of pairs that contradicts whatever does not stand beside the word noon."""
    return pairs(tmp_path_factory.mktemp("nli") / "no-nli", [SOURCE], "noon", NLI, 1, context=24, otherwise=0)


@pytest.fixture(scope="module")
def five_is_doubtful(tmp_path_factory):
    """A classifier of tokens that believes five and six only beside the word noon."""
    texts = [SOURCE, "five six boats", "Summarize the following text: passage 1: output"]
    return tokens(tmp_path_factory.mktemp("tokens") / "lettuce", texts, ["five", "six"], "noon", ["LABEL_0", "LABEL_1"])


def verdicts(checked):
    return [sentence.checker and sentence.checker.verdict for sentence in checked]


class TestPairsOfTexts:
    def test_a_sentence_is_supported_beside_its_evidence_and_the_neighbors_of_it(self, at_noon):
        checked = nutgraf.check("The ferry left. A mill burned down.", SOURCE, read_checker(at_noon))
        first, second = (sentence.checker for sentence in checked)
        assert (first.name, first.verdict, first.doubts) == ("noon-nli", "supported", ())
        assert list(first.probabilities) == ["contradicted", "supported", "not told"]
        assert first.probabilities["supported"] > 0.99
        assert (second.verdict, second.probabilities["not told"]) == ("not told", pytest.approx(1, abs=0.01))

    def test_every_sentence_of_the_evidence_has_a_window(self, at_noon):
        """The owner and the lamp weigh most and have no noon beside them; the ferry has."""
        checked = nutgraf.check("The owner blames a lamp and the ferry left.", SOURCE, read_checker(at_noon))
        assert [one.text for one in checked.sentences[0].evidence] == ["The owner blames a lamp.", "The ferry left."]
        assert verdicts(checked) == ["supported"]

    def test_without_evidence_all_of_a_long_source_is_read(self, at_noon):
        long = " ".join(["Gulls slept."] * 40 + ["It was noon."])
        checked = nutgraf.check("Zebras dream.", long, read_checker(at_noon))
        assert checked.sentences[0].evidence == ()
        assert verdicts(checked) == ["supported"]
        assert verdicts(nutgraf.check("Zebras dream.", "Gulls slept. " * 40, read_checker(at_noon))) == ["not told"]

    def test_a_long_sentence_of_a_source_is_read_in_parts(self, at_noon):
        long = f"The ferry {'slept ' * 60}at noon {'slept ' * 60}."
        assert verdicts(nutgraf.check("The ferry slept.", long, read_checker(at_noon))) == ["supported"]

    def test_a_sentence_that_is_too_long_is_told_and_left_to_the_rules(self, at_noon):
        summary = f"The ferry left. A mill {'burned ' * 30}down."
        checked = nutgraf.check(summary, SOURCE, read_checker(at_noon))
        assert verdicts(checked) == ["supported", None]
        assert checked.notices == (
            "Sentence 2 is too long for the checker noon-nli, and only the rules looked at what the sources say.",
        )

    def test_the_worst_verdict_of_the_checker_stands_beside_that_of_the_rules(self, at_noon, contradicts):
        for folder, summary, told in (
            (at_noon, "The ferry left.", "supported"),
            (at_noon, "The ferry left. A mill burned down.", "not told"),
            (contradicts, "The ferry left. A mill burned down.", "contradicted"),
        ):
            checked = nutgraf.check(summary, SOURCE, read_checker(folder))
            assert (checked.verdict, checked.checker_verdict) == ("not checked further", told)
        checked = nutgraf.check("Five ferries left.", SOURCE, read_checker(contradicts))
        assert (checked.verdict, checked.checker_verdict) == ("flagged", "supported")

    def test_the_signature_names_the_checker_and_its_weights(self, at_noon):
        checked = nutgraf.check("The ferry left.", SOURCE, read_checker(at_noon))
        name, rules, checker, _ = checked.signature.split("|")
        assert (name, rules[:6], checker[:17], len(checker)) == ("faithfulness", "rules:", "checker:noon-nli@", 25)

    def test_many_sentences_are_judged_as_one_by_one(self, at_noon):
        said = ["The ferry left.", "Nobody swam.", "Gulls slept on a mill.", "The owner blames a lamp.", "It was noon."]
        checker = read_checker(at_noon)
        together = [one.checker for one in nutgraf.check(" ".join(said), SOURCE, checker)]
        alone = [nutgraf.check(one, SOURCE, checker).sentences[0].checker for one in said]
        assert [one.verdict for one in together] == [one.verdict for one in alone]
        for one, other in zip(together, alone, strict=True):
            assert one.probabilities == pytest.approx(other.probabilities, abs=1e-4)


class TestTokens:
    def test_what_is_doubtful_is_told_in_characters_of_the_summary(self, five_is_doubtful):
        source = "A mill burned down. The owner blames a lamp."
        checked = nutgraf.check(
            "The owner blames. A mill burned five six times.", source, read_checker(five_is_doubtful)
        )
        first, second = (sentence.checker for sentence in checked)
        assert (first.verdict, first.doubts) == ("supported", ())
        assert (second.verdict, list(second.probabilities)) == ("not told", ["supported", "not told"])
        [doubt] = second.doubts
        assert (doubt.start, doubt.end, doubt.text) == (32, 40, "five six")
        assert doubt.probability > 0.99
        assert second.probabilities["not told"] == pytest.approx(doubt.probability)

    def test_a_window_reaches_as_far_as_the_model_reads(self, five_is_doubtful):
        checked = nutgraf.check("A mill burned five times.", SOURCE, read_checker(five_is_doubtful))
        assert verdicts(checked) == ["supported"]

    def test_the_prompt_is_lettuce_detect_s(self, five_is_doubtful, monkeypatch):
        read = []
        encode = ReadingModel.encode
        monkeypatch.setattr(ReadingModel, "encode", lambda *given: read.append(given[1:]) or encode(*given))
        nutgraf.check("A mill burned.", "A mill burned down.", read_checker(five_is_doubtful))
        assert read[-1] == (
            "\nSummarize the following text:\npassage 1: A mill burned down.\noutput:\n",
            "A mill burned.",
        )


class TestLabels:
    @pytest.mark.parametrize(
        ("labels", "by_token", "meaning"),
        [
            (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), False, (YES, SILENT, NO)),
            (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), False, (YES, NO, SILENT)),
            (("contradiction", "entailment"), False, (SILENT, YES)),
            (("not_entailment", "entailment"), False, (SILENT, YES)),
            (("Supported", "Unsupported"), False, (YES, SILENT)),
            (("FACTUAL", "NON-FACTUAL"), False, (YES, SILENT)),
            (("fine", "Hallucinated"), False, (YES, SILENT)),
            (("O", "B-hallucination", "I-hallucination"), True, (YES, SILENT, SILENT)),
            (("O", "contradiction", "hallucination"), True, (YES, SILENT, SILENT)),
            (("supported", "hallucinated"), True, (YES, SILENT)),
            (("LABEL_0", "LABEL_1"), True, (YES, SILENT)),
        ],
    )
    def test_are_read(self, labels, by_token, meaning, tmp_path):
        assert meaning_of(dict(enumerate(labels)), by_token, tmp_path) == Meaning(meaning)

    @pytest.mark.parametrize(
        ("labels", "by_token"),
        [
            (("LABEL_0", "LABEL_1"), False),
            (("LABEL_0", "LABEL_1", "LABEL_2"), True),
            (("negative", "neutral", "positive"), False),
            (("O", "B-PER", "I-PER"), True),
        ],
    )
    def test_that_say_nothing_of_the_kind_are_refused(self, labels, by_token, tmp_path):
        with pytest.raises(InputError, match=f"{', '.join(labels)}"):
            meaning_of(dict(enumerate(labels)), by_token, tmp_path)

    def test_probabilities_of_several_are_added(self):
        logits = np.log(np.array([[2.0, 3.0, 5.0]], dtype=np.float32))
        found = Meaning((YES, SILENT, YES)).probabilities(logits)
        assert {label: one.tolist() for label, one in found.items()} == {
            YES: [pytest.approx(0.7)], SILENT: [pytest.approx(0.3)]
        }  # fmt: skip


class TestWindows:
    """Hand-made probabilities beside each window: supported, not told, contradicted."""

    @pytest.mark.parametrize(
        ("windows", "verdict", "decided"),
        [
            ([(0.5, 0.3, 0.2)], YES, 0),
            ([(0.4, 0.2, 0.4)], SILENT, 0),
            ([(0.1, 0.3, 0.6), (0.7, 0.2, 0.1)], YES, 1),
            ([(0.0, 0.0, 1.0), (0.6, 0.4, 0.0), (0.8, 0.1, 0.1)], YES, 2),
            ([(0.4, 0.6, 0.0), (0.1, 0.3, 0.6), (0.1, 0.1, 0.8)], NO, 2),
            ([(0.2, 0.8, 0.0), (0.4, 0.2, 0.4), (0.3, 0.3, 0.4)], SILENT, 1),
        ],
    )
    def test_any_that_entails_supports_else_any_that_contradicts_decides(self, windows, verdict, decided):
        told = [dict(zip((YES, SILENT, NO), window, strict=True)) for window in windows]
        found = CheckerVerdict.combined("mine", told)
        assert (found.verdict, found.probabilities) == (verdict, told[decided])

    def test_two_classes_never_contradict(self):
        found = CheckerVerdict.combined("mine", [{YES: 0.1, SILENT: 0.9}, {YES: 0.3, SILENT: 0.7}])
        assert (found.verdict, found.probabilities) == (SILENT, {YES: 0.3, SILENT: 0.7})


class TestPremises:
    def windows(self, document, evidence, room, neighbours):
        return Premises(document, lambda text: len(text.split()), neighbours)(evidence, room)

    def document(self):
        return Document.of("A b. C d e. F g. H i j k. L m.", language="en", sentences=[
            (0, 4), (5, 11), (12, 16), (17, 25), (26, 30),
        ])  # fmt: skip

    def test_neighbors_join_a_sentence_of_the_evidence_as_long_as_there_is_room(self):
        assert self.windows(self.document(), (2,), 9, 1) == [("C d e. F g. H i j k.",)]
        assert self.windows(self.document(), (2,), 8, 1) == [("C d e. F g.",)]
        assert self.windows(self.document(), (2,), 13, None) == [("A b. C d e. F g. H i j k. L m.",)]

    def test_several_sentences_of_the_evidence_have_a_window_each_and_one_together(self):
        assert self.windows(self.document(), (4, 0), 5, 0) == [("L m.",), ("A b.",), ("A b.", "L m.")]

    def test_no_window_goes_on_into_another_source(self):
        sources = join([Document.of("One two. Three.", language="en"), Document.of("Four. Five.", language="en")])
        assert self.windows(sources, (1,), 99, None) == [("One two. Three.",)]
        assert self.windows(sources, (), 99, None) == [("One two. Three.", "Four. Five.")]

    def test_without_evidence_all_are_read(self):
        assert self.windows(self.document(), (), 5, 1) == [("A b. C d e.",), ("F g.",), ("H i j k.",), ("L m.",)]

    @pytest.mark.parametrize(
        ("passages", "parts"),
        [
            (("a", "b", "c"), (("a",), ("b", "c"))),
            (("one two three",), (("one two",), ("three",))),
            (("unbroken",), (("unbr",), ("oken",))),
            (("first rather-long-word",), (("first",), ("rather-long-word",))),
        ],
    )
    def test_what_is_too_long_is_parted(self, passages, parts):
        assert halves(passages) == parts


class TestOnTheCommandLine:
    @pytest.fixture
    def run(self, tmp_path):
        app = typer.Typer()
        app.command()(check_command)

        def run(summary, *options, source=SOURCE):
            (tmp_path / "source.txt").write_text(source)
            (tmp_path / "summary.txt").write_text(summary)
            files = [str(tmp_path / "summary.txt"), str(tmp_path / "source.txt")]
            return CliRunner().invoke(app, [*files, *map(str, options)])

        return run

    def test_a_verdict_stands_beside_that_of_the_rules(self, run, at_noon):
        lines = run("The ferry left. A mill burned down.", "--checker", at_noon).stdout.splitlines()
        assert lines[:2] == [
            "2 sentences: 0 flagged, 2 not checked further; 0% novel bigrams; risk 0.15",
            "checker noon-nli: 0 contradicted, 1 supported, 1 not told",
        ]
        assert lines[3:5] == [
            "- 1  The ferry left.",
            "     checker noon-nli: supported (contradicted 0%, supported 100%, not told 0%)",
        ]

    def test_doubts_are_quoted(self, run, five_is_doubtful):
        lines = run("A mill burned five times.", "--checker", five_is_doubtful, source="A mill burned down.").stdout
        assert "     checker lettuce: not told (supported 0%, not told 100%); not told: “five” 100%\n" in lines

    def test_a_pipeline_can_stop_on_it(self, run, at_noon, contradicts):
        def statuses(summary, folder):
            bounds = ("flagged", "contradicted", "not-told")
            return [run(summary, "--fail-on", bound, "--checker", folder).exit_code for bound in bounds]

        assert statuses("The ferry left.", at_noon) == [0, 0, 0]
        assert statuses("A mill burned down.", at_noon) == [0, 0, 1]
        assert statuses("A mill burned down.", contradicts) == [0, 1, 1]
        assert statuses("Five ferries left.", at_noon) == [1, 1, 1]

    def test_json_has_it_with_its_probabilities(self, run, at_noon):
        told = json.loads(run("A mill burned down.", "--json", "--checker", at_noon).stdout)
        [sentence] = told["sentences"]
        assert (told["verdict"], told["checker_verdict"]) == ("not checked further", "not told")
        assert sentence["verdict"] == "not checked further"
        assert sentence["checker"].pop("probabilities")["supported"] < 0.01
        assert sentence["checker"].pop("highest")["not told"] > 0.99
        bare = {"name": "noon-nli", "verdict": "not told", "doubts": [], "passages": [], "cosine": None}
        assert sentence["checker"] == bare
        assert json.loads(run("A mill burned down.", "--json").stdout)["sentences"][0]["checker"] is None


class TestWhatIsRefused:
    @pytest.fixture
    def folder(self, tmp_path):
        return pairs(tmp_path / "nli", [SOURCE], "noon", NLI, 1)

    def refused(self, folder):
        with pytest.raises(InputError) as caught:
            read_checker(folder)
        return str(caught.value)

    def test_a_missing_folder(self):
        assert self.refused("./nowhere") == "There is no folder './nowhere' with a model."

    def test_a_model_that_classifies_nothing(self, folder):
        relabel(folder, architectures=["BertModel"])
        assert "holds BertModel, which classifies nothing; names of models that do end in" in self.refused(folder)

    def test_labels_of_something_else(self, folder):
        relabel(folder, id2label={"0": "negative", "1": "positive", "2": "neutral"})
        assert "(negative, positive, neutral) do not say whether sources support" in self.refused(folder)

    def test_code_of_its_own(self, folder):
        relabel(folder, model_type="mine", auto_map={"AutoModel": "mine.Model"})
        (folder / "mine.py").write_text("raise SystemExit('run')")
        assert "nutgraf runs no code that comes with a model" in self.refused(folder)

    def test_pickled_weights(self, folder):
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        assert "a pickled file, which can hold code" in self.refused(folder)

    def test_a_model_without_its_classifier(self, folder):
        from safetensors.torch import load_file, save_file

        weights = load_file(folder / "model.safetensors")
        kept = {name: value for name, value in weights.items() if not name.startswith("classifier")}
        save_file(kept, folder / "model.safetensors", {"format": "pt"})
        assert "lacks 2 of the weights of its model, such as 'classifier.bias'" in self.refused(folder)

    def test_a_name_in_place_of_a_checker(self, folder):
        with pytest.raises(InputError, match=r"nutgraf\.systems\.verify\.read_checker"):
            nutgraf.check("Hello.", "Hello.", str(folder))


def test_roberta_reads_two_tokens_fewer_than_it_has_positions(tmp_path):
    """Its positions begin after the one of its padding, number 1; so with 34 of them it reads 32 tokens."""
    from transformers import RobertaConfig, RobertaForSequenceClassification

    folder = pairs(tmp_path / "roberta", [SOURCE], "noon", NLI, 1, context=99)
    config = RobertaConfig(
        vocab_size=30, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4,
        max_position_embeddings=34, pad_token_id=1, id2label=dict(enumerate(NLI)),
    )  # fmt: skip
    RobertaForSequenceClassification(config).save_pretrained(folder)
    model = ReadingModel.read(folder, "AutoModelForSequenceClassification")
    assert model.limit == 32
    row = model.encode("noon " * 14, "noon " * 15)
    assert len(row["input_ids"]) == 32
    assert len(model.run([row], lambda output: output.logits)) == 1
