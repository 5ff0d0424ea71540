"""What holds for every metric of the folder."""

import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import tiny_estimators, tiny_questions
from support.styled_texts import material, preferred, rated
from support.tiny_language_model import make
from support.tiny_transformers import make as make_transformer

from evaluation.metrics import METRICS, MetricInput
from evaluation.metrics._base import MATERIAL
from foundation.aspects import ASPECTS
from foundation.errors import UserError
from foundation.papers import Paper

ROOT = Path(__file__).resolve().parents[4]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}"}
NAMES = METRICS.names()
NO_SMALL_ONE = {"meteor_1_5"}
LEARNED = {
    "alignscore": "align", "bleurt": "one", "comet": "regression", "comet_qe": "referenceless",
    "content_likelihood": "chat", "labse": "tiny-encoder", "lens": "multi", "lens_salsa": "salsa",
    "plainqafact": "plainqafact", "sle": "one",
    "summac_conv": "nli", "summac_zs": "nli", "xcomet": "xcomet",
}  # fmt: skip
QUICK = {name: {"model": folder} for name, folder in LEARNED.items()} | {
    "formality": {"least": 50},
    "perplexity_lm": {"model": "masked"},
    "preference_reward": {"least": 20},
    "semantic_similarity": {"model": "tiny-encoder"},
    "transfer_strength": {"epochs": 1, "dimension": 4},
}
SCORED = [
    pytest.param(name, marks=pytest.mark.soak) if name in LEARNED else name
    for name in NAMES
    if name not in NO_SMALL_ONE
]
NEEDS = {"sources", "references", "styles", "terms", "link", *MATERIAL}
ASKED = {"sources": "sources", "references": "reference", "styles": "target style", "link": "linker"}
WITH_ITS_SET = {"cider"}  # which weighs n-grams by the whole set
SAID_OF_NOTHING = {"ascore": 1e-8, "perplexity_ngram": pytest.approx(510.6, abs=0.1)}  # by its equation; of the end


def test_the_folder_lists_the_metrics():
    """An entry is a file, or one of a file's family; what entries share lies elsewhere."""
    files = {f"evaluation.metrics.{path.stem}" for path in (ROOT / "evaluation/metrics").glob("[!_]*.py")}
    assert {METRICS.module_of(name) for name in NAMES} == files
    assert len(NAMES) >= 35
    for name in NAMES:
        assert METRICS[name].name == name
        assert METRICS[name].aspect in ASPECTS, "people can judge what a metric stands for"


def test_the_guide_names_each_metric_once():
    """Their settings stand in docs/reference/metrics.md, which is made from them."""
    guide = (ROOT / "docs/metrics.md").read_text(encoding="utf-8").split("## Programs")[0]
    rows = [line.split("|")[1:-1] for line in guide.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(named) == NAMES, "each metric has one row in docs/metrics.md"
    for row in rows:
        for name in re.findall(r"`(\w+)`", row[0]):
            assert (METRICS[name].higher_is_better, "↓" in row[0], "↕" in row[0]) in (
                (True, False, False),
                (False, True, False),
                (None, False, True),
            ), f"{name}: ↓ in its row where lower is better, ↕ where higher_is_better is None"


def test_listing_loads_no_library():
    """A web process that shows the names stays small."""
    code = "import sys; from evaluation.metrics import METRICS; METRICS.names(); print('sacrebleu' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    assert shown.stdout == "False\n", shown.stderr


class Links:
    """Takes some words for concepts."""

    signature = "words:patient"
    language = "en"

    def __call__(self, text):
        return [found.span() for found in re.finditer("patient|heart attack", text)]


@pytest.fixture(scope="session")
def _models(_tiny_encoder):
    folder = _tiny_encoder.parent
    make(folder / "masked", masked=True)
    for kind in ("regression", "referenceless", "multi", "salsa", "xcomet"):
        tiny_estimators.estimator(kind, folder / kind)
    tiny_estimators.align_score(folder / "align")
    tiny_estimators.classifier(folder / "one", {0: "LABEL_0"})
    tiny_estimators.classifier(folder / "nli", {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"})
    tiny_estimators.convolution(folder / "nli")
    tiny_questions.whole(folder / "plainqafact")
    (folder / "dale_chall.txt").write_text("the\npatient\nheart\nreport\n")
    make_transformer("causal", folder / "chat", texts=("Yes", "No", "Answer: Yes", "Answer: No", "the cup"))
    return folder


@pytest.fixture(scope="session")
def learnt():
    """What all tests train on: each model is trained once."""
    return material(rated=rated(), style_words=["gonna"], preferences=preferred())


@pytest.fixture
def ready(_models, tiny_encoder, tiny_wordnet, monkeypatch):
    """Small models and a small WordNet in the place of a lab's."""
    monkeypatch.setenv("RESTYLE_MODELS", str(_models))
    monkeypatch.delenv("RESTYLE_FORMALITY", raising=False)


@pytest.fixture
def whole(learnt):
    """Sources, outputs and references with all that any metric asks for."""

    def make_whole(sources, outputs, references):
        styles = {"source_styles": ["informal"] * len(outputs), "target_styles": ["formal"] * len(outputs)}
        terms = [[["heart attack"], ["patient", "heart attack"]]] * len(outputs)
        return MetricInput(sources, outputs, references, terms=terms, link=Links(), material=learnt, **styles)

    return make_whole


@pytest.fixture
def full(whole, texts):
    return whole(texts.sources, texts.outputs, texts.references)


@pytest.fixture
def score(name, ready):
    """Scores under settings that are quick on small texts."""
    settings = QUICK.get(name, {})
    assert METRICS[name].unavailable(**settings) == ""
    return lambda batch, **more: METRICS[name].score(batch, **settings | more)


def sound(scores, n):
    """A finite score or the reason why there is none; a sentence without one has NaN, and nothing is infinite."""
    assert scores.sentences.shape == (n,)
    assert scores.sentences.dtype == scores.sufficient_statistics.dtype == np.float64
    assert len(scores.sufficient_statistics) == n
    assert not np.isinf(scores.sentences).any()
    assert np.isfinite(scores.sufficient_statistics).all()
    assert all(math.isfinite(value) for value in scores.details.values())
    if scores.corpus is None:
        assert scores.undefined.endswith(".")
    else:
        assert math.isfinite(scores.corpus)
        assert not scores.undefined


def part(batch, places):
    """Some of a batch's sentences, in that order."""
    lists = ("sources", "outputs", "references", "source_styles", "target_styles", "terms")
    return replace(batch, **{name: [getattr(batch, name)[i] for i in places] for name in lists})


def others(metric, key):
    """Values of a setting beside its default."""
    default = metric.defaults[key]
    if isinstance(default, bool):
        return [not default]
    found = metric.choices.get(key) or metric.bounds.get(key, ())
    return [type(default)(value) for value in found if value != default]


# What a setting is of, without which it says nothing.
BESIDE = {("grammaticality", key): {"rated": "gug.csv"} for key in ("lowest", "highest")}
STRANGE = [
    ("😀👩‍👩‍👧‍👦 ok", "👍🏽", "😀"),
    ("ça coûte 5 €", "c\u0327a cou\u0302te cinq €", "ça coûte cinq euros"),
    ("心脏病发作了。", "他的心脏有问题。", "他心脏病发作了。"),
    ("مرحبا يا صديقي", "السلام عليكم", "تحية طيبة"),
    ("a\tb\nc\u00a0d\u2028e", " \u200b ", "\ufeffa b"),
    ("<b>&amp;</b> \\ ''", "|:|", '"quoted" [a[b]]'),
    ("...", "!?", "- - -"),
    ("\x00 a", "\x00", "a"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", NAMES)
class TestEveryMetric:
    def test_says_what_it_is(self, name):
        metric = METRICS[name]
        assert metric.name == name
        assert isinstance(metric.paper, Paper)
        assert metric.label
        assert metric.unit
        assert metric.needs <= NEEDS
        assert {*metric.choices, *metric.bounds} <= metric.defaults.keys()

    def test_its_first_line_names_the_paper(self, name):
        file = ROOT / f"{METRICS.module_of(name).replace('.', '/')}.py"
        first = file.read_text(encoding="utf-8").splitlines()[0]
        assert re.search(r"[A-Z]\w+.* \(?(19|20)\d\d\b", first), f"its first line names no paper and year: {first}"

    def test_refuses_an_empty_batch(self, name):
        with pytest.raises(UserError, match="no outputs"):
            METRICS[name].score(MetricInput([], [], []))

    def test_refuses_an_unknown_setting_by_its_key(self, name, full):
        with pytest.raises(UserError, match=rf"^metrics\.{name}\.colour: There is no such setting; .*\.$"):
            METRICS[name].score(full, colour="red")

    def test_refuses_values_of_the_wrong_kind(self, name):
        metric = METRICS[name]
        for key in metric.defaults:
            with pytest.raises(UserError, match=rf"^metrics\.{name}\.{key}: Expected .*\.$"):
                metric.settings(**{key: None})

    def test_the_signature_tells_settings_apart(self, name, ready):
        metric = METRICS[name]
        decided = {key: of("") for key, of in metric.by_language.items()}  # the same by its name is the same
        pairs = [(key, other) for key in metric.defaults for other in others(metric, key)]
        settings = [{**BESIDE.get((name, key), {}), key: other} for key, other in pairs if other != decided.get(key)]
        signatures = {metric.signature(), *(metric.signature(**each) for each in settings)}
        assert len(signatures) == len(settings) + 1

    def test_where_it_cannot_be_computed_it_says_what_is_lacking(self, name, monkeypatch, tmp_path, full):
        for variable in ("WORDNET", "RESTYLE_MODELS", "RESTYLE_BERTSCORE_MODEL", "PATH"):
            monkeypatch.setenv(variable, str(tmp_path))
        metric = METRICS[name]
        why = metric.unavailable()
        assert why == "" or re.fullmatch(r"[A-Z'].*\.", why)
        if why:
            with pytest.raises(UserError) as caught:
                metric.score(full)
            assert why in str(caught.value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SCORED)
class TestScoresOfEveryMetric:
    """All but METEOR 1.5, beside whose scores `test_meteor_1_5.py` has golden values, for where its program is.

    These tests score by small models in the place of a lab's, and no small program can stand in for its authors', which
    with its paraphrases is had from them alone.
    """

    def test_scores_each_sentence_once_in_order(self, name, score, full):
        scores = score(full)
        sound(scores, 6)
        assert scores.corpus is not None
        turned = score(part(full, range(5, -1, -1)))
        assert turned.sentences == pytest.approx(scores.sentences[::-1], nan_ok=True, rel=1e-5)
        assert turned.corpus == pytest.approx(scores.corpus, rel=1e-5)

    def test_the_same_again(self, name, score, full):
        one, other = score(full), score(full)
        assert np.array_equal(one.sentences, other.sentences, equal_nan=True)
        assert (one.corpus, one.details, one.signature) == (other.corpus, other.details, other.signature)

    def test_a_sentence_scores_the_same_alone(self, name, score, full):
        if name in WITH_ITS_SET:
            pytest.skip("its scores are of the whole set")
        alone = [score(part(full, [i])).sentences[0] for i in range(6)]
        assert score(full).sentences == pytest.approx(alone, nan_ok=True, rel=1e-5)

    def test_the_corpus_score_is_that_of_the_summed_statistics(self, name, score, full, uneven):
        """Of any of the sentences, drawn with repeats: what the metric says of a batch of them."""
        metric = METRICS[name]
        drawn = np.random.default_rng(3).integers(0, 6, size=(8, 6))
        for batch in (full, replace(full, references=uneven.references)):
            scores = score(batch)
            sums = scores.sufficient_statistics[drawn].sum(axis=1)
            assert metric.corpus_of(sums.reshape(4, 2, -1)).shape == (4, 2)
            assert float(metric.corpus_of(scores.sufficient_statistics.sum(axis=0))) == pytest.approx(
                scores.corpus, abs=1e-9
            )
            if name not in WITH_ITS_SET:
                expected = [score(part(batch, places)).corpus for places in drawn]
                assert metric.corpus_of(sums) == pytest.approx(expected, rel=1e-5, abs=1e-9)

    def test_sums_over_nothing_warn_nobody(self, name, score, full):
        assert METRICS[name].corpus_of(np.zeros((2, score(full).sufficient_statistics.shape[1]))).shape == (2,)

    def test_takes_nothing_but_empty_outputs(self, name, score, full):
        sound(score(replace(full, outputs=[""] * 6)), 6)

    def test_takes_empty_text_on_all_sides(self, name, score, whole):
        scores = score(whole(["", " "], ["", " "], [[""], ["", ""]]))
        sound(scores, 2)
        assert scores.corpus == SAID_OF_NOTHING.get(name, 0) or scores.corpus is None

    @settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_equal_text_equal_score(self, name, score, whole, texts, data):
        """To the last digit, whatever else a system wrote, and wherever the sentence stands."""
        words = sorted({word for text in (*texts.sources, *texts.outputs) for word in text.split()})
        line = st.lists(st.sampled_from(words), min_size=1, max_size=14).map(" ".join)
        rows = data.draw(
            st.lists(st.tuples(line, line, st.lists(line, min_size=1, max_size=3)), min_size=2, max_size=9)
        )
        size = len(rows)
        first = score(whole(*map(list, zip(*rows, strict=True))))
        order = data.draw(st.permutations(range(size)))
        kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
        beside = [(row[0], row[1] if keep else data.draw(line), row[2]) for row, keep in zip(rows, kept, strict=True)]
        if name not in WITH_ITS_SET:
            order = [place for place in order if kept[place] or data.draw(st.booleans())]
        other = score(whole(*map(list, zip(*(beside[place] for place in order), strict=True))))
        for at, place in enumerate(order):
            if kept[place]:
                assert np.array_equal(other.sentences[at], first.sentences[place], equal_nan=True)
                assert np.array_equal(other.sufficient_statistics[at], first.sufficient_statistics[place])
        turned = score(whole(*map(list, zip(*rows[::-1], strict=True))))
        assert turned.corpus == first.corpus

    def test_nothing_is_nearer_than_the_same_text(self, name, score, full, texts):
        same = score(replace(full, sources=texts.outputs, references=[[output] for output in texts.outputs]))
        sound(same, 6)
        if METRICS[name].needs == {"references"} and name not in LEARNED:
            worst, best = sorted([score(full).corpus, same.corpus])
            assert same.corpus == (best if METRICS[name].higher_is_better else worst)

    def test_takes_any_script_and_sign(self, name, score, whole):
        sources, outputs, references = map(list, zip(*STRANGE, strict=True))
        sound(score(whole(sources, outputs, [[reference] for reference in references])), len(STRANGE))

    def test_takes_two_thousand_words_in_a_line(self, name, score, whole, texts):
        pool = [word for text in (*texts.sources, *texts.outputs) for word in text.split()]
        lines = [" ".join(pool[i] for i in draw) for draw in np.random.default_rng(5).integers(0, len(pool), (3, 2000))]
        sources, outputs, references = ([line, text] for line, text in zip(lines, texts.sources, strict=False))
        sound(score(whole(sources, outputs, [[reference] for reference in references])), 2)

    def test_needs_only_what_it_says(self, name, score, full):
        needs = METRICS[name].needs
        bare = MetricInput(
            full.sources if "sources" in needs else [],
            full.outputs,
            full.references if "references" in needs else [],
            full.source_styles if "styles" in needs else [],
            full.target_styles if "styles" in needs else [],
            full.terms if "terms" in needs else [],
            full.link if "link" in needs else None,
            full.material if needs & MATERIAL else None,
        )
        assert score(bare).corpus == score(full).corpus

    def test_names_what_is_missing(self, name, score, full):
        empty = {"sources": [], "references": [], "target_styles": [], "link": None, "material": None}
        for need in METRICS[name].needs - {"terms"}:
            field = "material" if need in MATERIAL else "target_styles" if need == "styles" else need
            with pytest.raises(UserError, match=ASKED.get(need, "nothing to train it on")):
                score(replace(full, **{field: empty[field]}))

    def test_the_signature_is_fields(self, name, score, full):
        parts = dict(part.split(":") for part in score(full).signature.split("|"))
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
        METRICS["bleu"].score(MetricInput(texts.sources, texts.outputs, references))


def test_a_batch_is_line_by_line():
    with pytest.raises(UserError, match=r"There are 1 outputs but 2 sources\."):
        MetricInput(["a", "b"], ["a"], [])
    with pytest.raises(UserError, match=r"There are 1 outputs but 2 references\."):
        MetricInput([], ["a"], [["a"], ["b"]])


def test_the_example_of_the_guide_runs_as_written(texts):
    """`docs/adding.md`: a metric whose corpus score is the mean of its sentences gives its sentences, and no more."""
    guide = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
    code = guide.split("```python\n", 1)[1].split("```", 1)[0]
    metric = run(code)["METRIC"]
    scores = metric.score(texts)
    assert scores.corpus == pytest.approx(scores.sentences.mean(), abs=1e-12)
    assert metric.corpus_of(scores.sufficient_statistics[[2, 2, 5]].sum(axis=0)) == pytest.approx(
        scores.sentences[[2, 2, 5]].mean(), abs=1e-12
    )


def run(code):
    names = {"__name__": "example"}
    exec(code, names)  # noqa: S102
    return names
