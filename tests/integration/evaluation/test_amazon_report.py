"""The report of the real Amazon study (Li et al. 2018), against sacreBLEU, scipy and the authors' figures."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from django.core.management import call_command
from django.db import transaction
from support import elsewhere

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = json.loads((ROOT / "tests/golden/evaluation/amazon.json").read_text())
PLACES = [ROOT.parent / "shared", ROOT / "shared"]
SHARED = next((place for place in PLACES if (place / "studies/amazon.toml").exists()), None)
DIRECTIONS = {"0": "positive", "1": "negative"}  # the ending of a file and the style that its outputs are to have
FILES = {
    "DeleteAndRetrieve": "orgin", "DeleteOnly": "label", "TemplateBased": "rule_base", "RetrieveOnly": "retrieval",
    "StyleEmbedding": "fader", "CrossAligned": "mit", "MultiDecoder": "multi_decoder", "Human": "human",
}  # fmt: skip

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(SHARED is None, reason="the real data are not here: no ../shared/studies/amazon.toml"),
    pytest.mark.django_db,
]


@pytest.fixture(scope="module")
def report(django_db_setup, django_db_blocker):
    """Applied and reported once, as the two commands do it; it is all rolled back."""
    from corpora.models import Study
    from evaluation.models import MetricScore

    with django_db_blocker.unblock(), transaction.atomic():
        call_command("apply_study", str(SHARED / "studies/amazon.toml"), stdout=io.StringIO())
        out = io.StringIO()
        call_command("report", "amazon-sentiment", stdout=out)
        study = Study.objects.get(slug="amazon-sentiment")
        scores = {
            (metric_score.system.name, metric_score.metric): metric_score
            for metric_score in MetricScore.objects.select_related("system")
        }
        sentences = dict(study.directions.values_list("sentences__pk", "sentences__text").order_by("sentences__pk"))
        targets = dict(study.directions.values_list("sentences__pk", "target_style"))
        by_source = {
            key: {
                (targets[pk], elsewhere.plain(sentences[pk])): value
                for pk, value in zip(one.sentence_ids, one.sentences, strict=True)
            }
            for key, one in scores.items()
        }
        transaction.set_rollback(True)
    return {**json.loads(out.getvalue()), "scores": by_source}


@pytest.fixture(scope="module")
def texts():
    """Each system's outputs, from its files."""
    found = {}
    for name, ending in FILES.items():
        found[name] = {
            (target, elsewhere.plain(row[0])): row[1]
            for number, target in DIRECTIONS.items()
            for row in _rows(SHARED / f"data/amazon/outputs/sentiment.test.{number}.{ending}")
        }
    return found


def _rows(file):
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def judged(texts):
    return elsewhere.judged(SHARED / "data/amazon/ratings-amazon.csv", texts)


def of(report, system):
    return next(one for one in report["systems"] if one["name"] == system)


@pytest.mark.parametrize("metric", ["bleu", "self_bleu"])
def test_scores_are_those_of_sacrebleu(report, metric):
    for system, expected in GOLDEN[metric].items():
        assert of(report, system)["metrics"][metric]["score"] == pytest.approx(expected, abs=5e-5)
    assert "lib:sacrebleu-2.6" in of(report, "DeleteOnly")["metrics"]["bleu"]["signature"]


def test_missing_outputs_are_said(report):
    for system, missing in GOLDEN["missing"].items():
        assert of(report, system)["missing"] == missing
        assert of(report, system)["outputs"] == 1000 - missing


def test_human_means_are_those_of_the_authors(report):
    for system, means in GOLDEN["human"].items():
        for criterion, expected in means.items():
            found = of(report, system)["human"][criterion]
            assert (found["mean"], found["n"]) == (pytest.approx(expected, abs=5e-5), GOLDEN["n"])
            assert found["low"] < expected < found["high"]


def test_all_human_means_are_those_of_the_file(report, texts, judged):
    for system, outputs in texts.items():
        for criterion, values in judged.items():
            mean, n = elsewhere.mean_of(values, outputs)
            found = of(report, system)["human"][criterion]
            assert (found["mean"], found["n"]) == (pytest.approx(mean), n)


def test_correlations_by_sentence_are_scipys(report, texts, judged):
    """BLEU by sacreBLEU's own sentence_bleu; the others by the stored scores."""
    references = {
        (target, elsewhere.plain(row[0])): row[1]
        for number, target in DIRECTIONS.items()
        for row in _rows(SHARED / f"data/amazon/reference.{number}")
    }
    bleu = sacrebleu.BLEU(tokenize="none", lowercase=True, effective_order=True)
    scores = {
        name: {key: bleu.sentence_score(text, [references[key]]).score for key, text in outputs.items()}
        for name, outputs in texts.items()
        if name != "Human"
    }
    metrics = {"bleu": {**scores, "Human": {}}}
    for name in ("ter", "pinc", "fkgl"):
        metrics[name] = {system: report["scores"].get((system, name), {}) for system in texts}
    for metric, own in metrics.items():
        for criterion, values in judged.items():
            x, y = (settled(of) for of in elsewhere.pairs(values, texts, own))
            for name, coefficient in elsewhere.COEFFICIENTS.items():
                found = entry(report, "sentence", metric, criterion, name)
                expected = coefficient(x, y)
                assert found["n"] == len(x) == (2800 if metric in ("bleu", "ter") else 3200)
                assert found["value"] == pytest.approx(expected.statistic, abs=1e-9)
                assert found["p"] >= expected.pvalue  # by source, where scipy takes outputs as independent
                assert found["low"] < found["value"] < found["high"]


def settled(values):
    """Without the digits that rounding makes: outputs whose BLEU is the same but for these are tied."""
    return [float(f"{value:.11g}") for value in values]


def test_correlations_by_system_are_scipys(report):
    """Nearly: a system lacks an output, so that each two are compared over the sources that both have."""
    for metric in ("bleu", "self_bleu"):
        for criterion in ("grammaticality", "sentiment", "topic"):
            rows = [one for one in report["systems"] if one["metrics"][metric]["score"] is not None]
            x = [row["metrics"][metric]["score"] for row in rows]
            y = [row["human"][criterion]["mean"] for row in rows]
            for name, coefficient in elsewhere.COEFFICIENTS.items():
                found = entry(report, "system", metric, criterion, name)
                assert found["n"] == len(x)
                assert found["value"] == pytest.approx(coefficient(x, y).statistic, abs=1e-3)


def test_the_references_themselves_get_no_score_against_references(report):
    human = of(report, "Human")["metrics"]
    for name in ("bleu", "sari", "ter"):
        assert human[name]["score"] is None
        assert human[name]["undefined"] == "Its outputs are the references themselves."
        assert entry(report, "system", name, "topic", "pearson")["n"] == 7
    for name in ("self_bleu", "pinc", "edit_distance", "fkgl"):
        assert human[name]["score"] is not None
        assert entry(report, "system", name, "topic", "pearson")["n"] == 8


def entry(report, *names):
    keys = ("level", "metric", "criterion", "coefficient")
    (found,) = [one for one in report["correlations"] if tuple(one[key] for key in keys) == names]
    return found


def test_differences_from_the_baseline_are_those_of_the_file(report, texts, judged):
    """p by swapping the two systems' judgements source by source, written out here with other draws."""
    numbers = np.random.default_rng(3)
    rows = {one["system"]: one for one in report["leaderboard"]["criteria"]["topic"]["rows"]}
    assert report["leaderboard"]["baseline"] == "DeleteAndRetrieve"
    for system in ("DeleteOnly", "TemplateBased", "MultiDecoder", "Human"):
        first, second = (elsewhere.by_source(judged["topic"], texts[one]) for one in (system, "DeleteAndRetrieve"))
        apart = np.array([first[source] - second[source] for source in first.keys() & second.keys()])
        coins = numbers.choice([-1, 1], size=(4000, len(apart)))
        expected = np.mean(np.abs((coins * apart).mean(axis=1)) >= abs(apart.mean()) - 1e-12)
        assert rows[system]["difference"] == pytest.approx(apart.mean(), abs=1e-9)
        assert rows[system]["p"] == pytest.approx(expected, abs=0.04)
        assert rows[system]["corrected"] >= rows[system]["p"]
        assert rows[system]["stars"] == ("*" if rows[system]["corrected"] < 0.05 else "")


def test_boards_are_in_order_and_hold_every_system(report):
    for board in report["leaderboard"]["criteria"].values():
        values = [row["value"] for row in board["rows"]]
        assert values == sorted(values, reverse=True)
        assert [row["cluster"] for row in board["rows"]] == sorted(row["cluster"] for row in board["rows"])
        assert {row["system"] for row in board["rows"]} == set(FILES)
    last = report["leaderboard"]["metrics"]["bleu"]["rows"][-1]
    assert (last["system"], last["value"], last["cluster"]) == ("Human", None, None)
    for row in report["leaderboard"]["metrics"]["bleu"]["rows"][:-1]:
        assert row["low"] < row["value"] < row["high"]


def test_trust_ranks_by_the_correlations_and_says_what_it_rests_on(report, texts, judged):
    """Over the outputs of the seven machines: the eighth system is a person, whose outputs are the references."""
    machines = [outputs for system, outputs in texts.items() if system != "Human"]
    ours = {(*key, elsewhere.spaced(text)) for outputs in machines for key, text in outputs.items()}
    for criterion, found in report["trust"]["criteria"].items():
        assert len({row["n"] for row in found["sentence"]}) == 1
        assert {row["n"] for row in found["system"]} == {7}
        assert found["judgements"] == sum(len(judged[criterion].get(our, [])) for our in ours)
        for level in ("sentence", "system"):
            values = [row["value"] for row in found[level]]
            assert values == sorted(values, reverse=True)
            groups = [row["group"] for row in found[level]]
            assert groups == sorted(groups)
            assert groups[0] == 1
            ter = next(row for row in found[level] if row["metric"] == "ter")
            assert ter["value"] == pytest.approx(-entry(report, level, "ter", criterion, "pearson")["value"])


def test_the_copied_source_fools_bleu_and_not_sari(report):
    """Li et al.'s sources are so like the references that BLEU likes them best of all."""
    foils = {one["name"]: one["metrics"] for one in report["trust"]["foils"]}
    assert (foils["copied_source"]["bleu"]["place"], foils["copied_source"]["sari"]["place"]) == (1, 8)
    assert foils["shuffled_words"]["bleu"]["score"] < foils["copied_source"]["bleu"]["score"]
    assert foils["copied_source"]["pinc"]["score"] == 0
