"""Words begin with vectors from a file."""

import json

import pytest

torch = pytest.importorskip("torch")

from nutgraf import checkpoint  # noqa: E402
from nutgraf.errors import InputError, PresetError  # noqa: E402
from nutgraf.preparation.word_vectors import begin_with, vectors_of  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_network import NOTICES, build, tiny  # noqa: E402

TABLE = {"model.embedding.embedding_dim": 3, "model.tie_word_embeddings": False}


@pytest.fixture
def file(tmp_path):
    """Vectors of three words, one of which nobody knows."""
    path = tmp_path / "three.txt"
    path.write_text("bridge 1 2 3\nunheard 9 9 9\nmast 4 5 6\n", encoding="utf-8")
    return str(path)


def preset(file, **more):
    return tiny("lstm_transformer", **{"model.embedding.vectors": file, "training.validate_every": 0, **TABLE, **more})


@pytest.mark.parametrize(("shared", "scaled"), [(True, True), (False, False)])
def test_words_that_have_a_vector_begin_with_it(file, tmp_path, shared, scaled):
    made = preset(file, **{"model.share_embeddings": shared, "model.embedding.scale": scaled})
    network, batch, learned = build(tmp_path / "made", made)
    tokenizer = checkpoint.tokenizers.build(made.options("tokenizer"))
    tokenizer.load(learned)
    before = network.source_embedding.word_embeddings.weight.clone()
    assert begin_with(vectors_of(made), network, tokenizer) == {"entries": len(tokenizer), "known": 2}
    at, mast = (tokenizer.tokens.index(word) for word in ("bridge", "mast"))
    for table in (network.source_embedding, network.target_embedding):
        assert (table.word_embeddings.weight[at] * table.scale).tolist() == pytest.approx([1, 2, 3])
        assert (table.word_embeddings.weight[mast] * table.scale).tolist() == pytest.approx([4, 5, 6])
    others = torch.ones(len(tokenizer), dtype=torch.bool)
    others[[at, mast]] = False
    assert torch.equal(network.source_embedding.word_embeddings.weight[others], before[others])
    network(batch).target_log_probs.sum().backward()
    assert network.source_embedding.proj.weight.grad.any()


def test_vectors_of_another_width_say_what_to_set(file):
    with pytest.raises(PresetError, match=r"model.embedding.embedding_dim = 3"):
        vectors_of(preset(file, **{"model.embedding.embedding_dim": 5}))


def test_a_preset_without_vectors_has_none():
    assert vectors_of(read("lstm_transformer")) is None


def test_a_trained_folder_needs_the_file_no_more(file, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    lines = [json.dumps({"document": text, "summary": summary}) for text, summary in NOTICES]
    (corpus / "train.jsonl").write_text("\n".join(lines))
    reports = []
    out = train(preset(file, **{"training.max_steps": 1}), corpus, tmp_path / "out", listeners=[reports.append]).folder
    assert any("2 of 75 entries" in getattr(one, "text", "") for one in reports)
    assert checkpoint.read_card(out)["vectors"] == {"entries": 75, "known": 2}
    (tmp_path / "three.txt").unlink()
    assert checkpoint.load(out, sections_of).network.source_embedding.word_embeddings.weight.shape == (75, 3)


def test_a_missing_file_is_refused_before_anything_is_written(tmp_path):
    corpus = tmp_path / "notices.jsonl"
    corpus.write_text("{}")
    with pytest.raises(InputError, match="nowhere"):
        train(preset("nowhere.txt"), corpus, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["notices.jsonl"]
