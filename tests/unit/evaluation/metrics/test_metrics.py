"""What holds for every metric of the folder."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from evaluation.metrics import METRICS, Batch
from foundation.errors import UserError
from foundation.papers import Paper

ROOT = Path(__file__).resolve().parents[4]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}"}
NAMES = [
    "bertscore", "bleu", "bleu_1", "bleu_2", "bleu_3", "bleu_mean", "chrf", "coleman_liau", "cwr", "edit_distance",
    "fkgl", "gunning_fog", "meteor", "pinc", "readability", "rouge_1", "rouge_2", "rouge_l", "sari", "self_bleu",
    "ter", "terp",
]  # fmt: skip


def test_the_folder_lists_the_metrics():
    assert set(METRICS.names()) >= set(NAMES)


def test_listing_loads_no_library():
    """A web process that shows the names stays small."""
    code = "import sys; from evaluation.metrics import METRICS; METRICS.names(); print('sacrebleu' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    assert shown.stdout == "False\n", shown.stderr


def fields(batch):
    return batch.sources, batch.outputs, batch.references


def others(metric, key):
    """Values of a setting beside its default."""
    default = metric.defaults[key]
    if isinstance(default, bool):
        return [not default]
    return [value for value in (metric.choices.get(key) or metric.bounds.get(key, ())) if value != default]


@pytest.mark.usefixtures("tiny_encoder", "tiny_wordnet")
@pytest.mark.parametrize("name", NAMES)
class TestEveryMetric:
    def test_says_what_it_is(self, name):
        metric = METRICS[name]
        assert metric.name == name
        assert isinstance(metric.paper, Paper)
        assert metric.label
        assert metric.unit
        assert metric.needs <= {"sources", "references"}

    def test_scores_each_sentence_once_in_order(self, name, texts):
        metric = METRICS[name]
        scores = metric.score(texts)
        assert scores.sentences.dtype == np.float64
        assert scores.sentences.shape == (6,)
        turned = Batch(texts.sources[::-1], texts.outputs[::-1], texts.references[::-1])
        assert metric.score(turned).sentences == pytest.approx(scores.sentences[::-1])
        assert metric.score(turned).corpus == pytest.approx(scores.corpus)

    def test_a_sentence_scores_the_same_alone(self, name, texts):
        metric = METRICS[name]
        whole = metric.score(texts)
        alone = [
            metric.score(Batch([s], [o], [r])).sentences[0]
            for s, o, r in zip(texts.sources, texts.outputs, texts.references, strict=True)
        ]
        assert whole.sentences == pytest.approx(alone)
        assert all(math.isfinite(value) for value in whole.details.values())

    def test_the_corpus_score_is_that_of_the_summed_statistics(self, name, texts, uneven):
        """Of any of the sentences, drawn with repeats: what the metric says of a batch of them."""
        metric = METRICS[name]
        numbers = np.random.default_rng(3)
        for batch in (texts, uneven):
            whole = metric.score(batch)
            assert whole.statistics.dtype == np.float64
            assert whole.statistics.shape[0] == 6
            drawn = numbers.integers(0, 6, size=(40, 6))
            sums = whole.statistics[drawn].sum(axis=1)
            expected = [
                metric.score(Batch(*([texts[i] for i in places] for texts in fields(batch)))) for places in drawn
            ]
            assert metric.corpus_of(sums) == pytest.approx([scores.corpus for scores in expected], abs=1e-9)
            assert metric.corpus_of(sums.reshape(8, 5, -1)).shape == (8, 5)
            assert float(metric.corpus_of(whole.statistics.sum(axis=0))) == pytest.approx(whole.corpus, abs=1e-9)

    @pytest.mark.filterwarnings("error")
    def test_sums_over_nothing_warn_nobody(self, name, texts):
        metric = METRICS[name]
        assert metric.corpus_of(np.zeros((2, metric.score(texts).statistics.shape[1]))).shape == (2,)

    def test_takes_nothing_but_empty_outputs(self, name, texts):
        empty = Batch(texts.sources, [""] * 6, texts.references)
        scores = METRICS[name].score(empty)
        assert np.isfinite([scores.corpus, *scores.sentences]).all()

    def test_takes_empty_text_on_all_sides(self, name):
        scores = METRICS[name].score(Batch(["", " "], ["", " "], [[""], ["", ""]]))
        assert scores.corpus == 0
        assert scores.sentences.tolist() == [0, 0]

    def test_needs_only_what_it_says(self, name, texts):
        metric = METRICS[name]
        given = Batch(
            texts.sources if "sources" in metric.needs else [],
            texts.outputs,
            texts.references if "references" in metric.needs else [],
        )
        assert metric.score(given).corpus == metric.score(texts).corpus

    def test_names_what_is_missing(self, name, texts):
        metric = METRICS[name]
        for need in metric.needs:
            kept = {"sources": texts.sources, "references": texts.references} | {need: []}
            with pytest.raises(UserError, match=need[:-1]):
                metric.score(Batch(outputs=texts.outputs, **kept))

    def test_refuses_an_empty_batch(self, name):
        with pytest.raises(UserError, match="no outputs"):
            METRICS[name].score(Batch([], [], []))

    def test_refuses_an_unknown_setting_by_its_key(self, name, texts):
        with pytest.raises(UserError, match=rf"^metrics\.{name}\.colour: There is no such setting; .*\.$"):
            METRICS[name].score(texts, colour="red")

    def test_refuses_values_of_the_wrong_kind(self, name):
        metric = METRICS[name]
        for key in metric.defaults:
            with pytest.raises(UserError, match=rf"^metrics\.{name}\.{key}: Expected .*, not None\.$"):
                metric.settings(**{key: None})

    def test_the_signature_tells_settings_apart(self, name):
        metric = METRICS[name]
        settings = [{key: other} for key in metric.defaults for other in others(metric, key)]
        signatures = {metric.signature(), *(metric.signature(**each) for each in settings)}
        assert len(signatures) == len(settings) + 1

    def test_the_signature_is_fields(self, name, texts):
        parts = dict(part.split(":") for part in METRICS[name].score(texts).signature.split("|"))
        assert parts["metric"] == name
        assert parts["restyle"] == f"{name}.{METRICS[name].version}"


def test_the_signature_counts_the_references(texts, uneven):
    assert "|nrefs:2|" in METRICS["bleu"].score(texts).signature
    assert "|nrefs:var|" in METRICS["bleu"].score(uneven).signature
    assert METRICS["bleu"].signature(tokenize="none", lowercase=True) == (
        f"metric:bleu|case:lc|eff:no|tok:none|smooth:exp|sentences:eff|lib:sacrebleu-{sacrebleu.__version__}"
        "|restyle:bleu.1"
    )


def test_sentences_without_reference_are_named(texts):
    references = [refs if i not in (1, 4) else [] for i, refs in enumerate(texts.references)]
    with pytest.raises(UserError, match=r"^bleu: These sentences have no reference: 2, 5\.$"):
        METRICS["bleu"].score(Batch(texts.sources, texts.outputs, references))


def test_a_batch_is_line_by_line():
    with pytest.raises(UserError, match=r"There are 1 outputs but 2 sources\."):
        Batch(["a", "b"], ["a"], [])
    with pytest.raises(UserError, match=r"There are 1 outputs but 2 references\."):
        Batch([], ["a"], [["a"], ["b"]])


def test_the_example_of_the_guide_runs_as_written(texts):
    """`docs/adding.md`: a metric whose corpus score is the mean of its sentences gives its sentences, and no more."""
    guide = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
    code = guide.split("```python\n", 1)[1].split("```", 1)[0]
    metric = run(code)["METRIC"]
    scores = metric.score(texts)
    assert scores.corpus == pytest.approx(scores.sentences.mean(), abs=1e-12)
    assert metric.corpus_of(scores.statistics[[2, 2, 5]].sum(axis=0)) == pytest.approx(
        scores.sentences[[2, 2, 5]].mean(), abs=1e-12
    )


def run(code):
    names = {"__name__": "example"}
    exec(code, names)  # noqa: S102
    return names
