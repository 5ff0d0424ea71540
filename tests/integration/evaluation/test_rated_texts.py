"""Texts of a corpus that people rated without any system: formality is learnt from them (GYAFC, section 3.2)."""

import csv

import pytest
from django.core.management import CommandError, call_command
from support.styled_texts import FORMAL, INFORMAL, made

from annotation.campaigns.criteria import keep_criteria
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import Judgement as Given
from corpora.knowledge import formality
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report

pytestmark = pytest.mark.django_db
TEXTS = dict.fromkeys(made(FORMAL), 2) | dict.fromkeys(made(INFORMAL), -2)
OUTPUTS = ["We remain grateful for the plan.", *["lol dude check the plan"] * (len(TEXTS) - 1)]


@pytest.fixture
def study(monkeypatch):
    for variable in ("RESTYLE_FORMALITY", "RESTYLE_KNOWLEDGE"):
        monkeypatch.delenv(variable, raising=False)
    found = create_study(slug="posts", title="Posts", styles=["informal", "formal"])
    direction = add_direction(study=found, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=[text.capitalize() for text in TEXTS])
    keep_criteria(found, [{"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"}])
    rows = [
        Given(worker, text, text, "formal", "formality", value + step, None, line)
        for line, (text, value) in enumerate(TEXTS.items())
        for worker, step in (("a", 0), ("b", -1))
    ]
    stray = Given("a", next(iter(TEXTS)), "a text that stands nowhere", "formal", "formality", 3, None, 0)
    import_ratings(study=found, format="mturk", file_name="ratings.csv", judgements=[*rows, stray])
    add_system(study=found, name="Model", outputs={direction: OUTPUTS}, origin="a file")
    return found


def test_the_formality_of_a_system_is_learnt_from_them_and_says_so(study):
    choose_metrics(study=study, metrics={"formality": {"least": 50}})
    found = make_report(study=study).content["systems"][0]["metrics"]["formality"]
    assert -3 <= found["score"] < 0
    assert "|rated:" in found["signature"]
    choose_metrics(study=study, metrics={"formality": {"least": 500}})
    lacking = make_report(study=study).content["systems"][0]["metrics"]["formality"]
    assert lacking["score"] is None
    assert "have enough texts of the study rated" in lacking["undefined"]


def test_they_are_written_as_the_training_of_a_scorer_takes_them(study, tmp_path):
    call_command("rated_texts", "posts", "formality", to=tmp_path / "rated.csv")
    with (tmp_path / "rated.csv").open(newline="") as file:
        rows = {row["sentence"]: float(row["label"]) for row in csv.DictReader(file)}
    assert rows == {text.capitalize(): value - 0.5 for text, value in TEXTS.items()}
    call_command("train_formality", csv=tmp_path / "rated.csv", out=tmp_path / "model")
    scorer = formality.load(tmp_path / "model")
    polite, rough = scorer.scores(OUTPUTS[:2])
    assert rough < 0 < polite


@pytest.mark.parametrize(
    ("slug", "criterion", "said"),
    [
        ("letters", "formality", r"^There is no study 'letters'\.$"),
        ("posts", "fluency", r"^posts: Nobody judged 'fluency' in this study; its judged criteria are: formality\.$"),
    ],
)
def test_what_is_not_there_is_named(study, tmp_path, slug, criterion, said):
    with pytest.raises(CommandError, match=said):
        call_command("rated_texts", slug, criterion, to=tmp_path / "rated.csv")
    with pytest.raises(CommandError, match="The file cannot be written"):
        call_command("rated_texts", "posts", "formality", to=tmp_path)
