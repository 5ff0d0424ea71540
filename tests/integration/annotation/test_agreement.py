"""How far people agree: on texts against the most experienced one, on choices, and on ratings."""

import csv
import json
from io import StringIO

import pytest
from django.urls import reverse
from support import campaigns as make
from support import tiny_encoder
from support.clients import as_person

from accounts.permissions import Role
from annotation import agreement
from annotation.actions.review_answer import review_answer
from annotation.actions.start_agreement import start_agreement
from annotation.agreement import Agreement, measure, pairs_to_compare, summary
from annotation.gold.release.datasheet import agreement_lines
from annotation.models import Answer
from annotation.presenters import people as measured_at
from annotation.tasks import agreement as task
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=3)


@pytest.fixture
def people(study):
    return [make.person(study=study, name=name) for name in ("Ada", "Bob", "Cyd")]


TEXTS = {
    "Ada": "I have to see the numbers {}, you know.", "Bob": "I must see number {}, you know.", "Cyd": "See {}.",
}  # fmt: skip


def do(campaign, people, texts=TEXTS):
    for who in people:
        while (work := make.claim(campaign, who).work) is not None:
            make.hand_in(campaign, who, work, content={"text": texts[who.name].format(work.number)})


@pytest.fixture
def campaign(study, people):
    made = make.campaign(study, overlap=3)
    do(made, people)
    return made


def accept_all_of(who, study):
    by = make.person(Role.REVIEWER, study)
    for answer in Answer.objects.filter(person=who):
        review_answer(answer=answer, verdict="accepted", by=by)


def test_texts_are_held_against_the_most_experienced_annotator(campaign, people, study):
    ada, bob, cyd = people
    accept_all_of(bob, study)
    made = measure(campaign)
    assert [pk for pk, _, _ in made.people] == [bob.pk, ada.pk, cyd.pk]
    assert [(one.a, one.b, one.n) for one in made.pairs] == [
        (bob.pk, ada.pk, 3), (bob.pk, cyd.pk, 3), (ada.pk, cyd.pk, 3),
    ]  # fmt: skip
    references = [[TEXTS["Bob"].format(n)] for n in (1, 2, 3)]
    batch = MetricInput([], [TEXTS["Ada"].format(n) for n in (1, 2, 3)], references)
    first = made.pairs[0].values
    assert first["rouge_1"].mean == pytest.approx(METRICS["rouge_1"].score(batch, stem=True).corpus)
    assert first["rouge_1"].mean > METRICS["rouge_1"].score(batch).corpus, "numbers and number are one stem"
    assert first["bleu"].mean == pytest.approx(METRICS["bleu"].score(batch).corpus / 100)
    beside = made.against_reference()["rouge_1"]
    means = [pair.values["rouge_1"].mean for pair in made.pairs[:2]]
    assert (beside.low, beside.high, beside.n) == (min(means), max(means), 6)
    assert measure(campaign, reference=cyd.pk).people[0][0] == cyd.pk
    assert Agreement.read(json.loads(json.dumps(made.json()))) == made


def test_words_are_those_of_the_language(people, study):
    """Of Chinese a token of ROUGE and BLEU is a character; no stems are taken."""
    study.language = "zh"
    study.save()
    campaign = make.campaign(study, overlap=2)
    do(campaign, people[:2], {"Ada": "病人发烧{}。", "Bob": "病人发热{}。"})
    ada, bob = ([text.format(n) for n in (1, 2, 3)] for text in ("病人发烧{}。", "病人发热{}。"))
    batch = MetricInput([], bob, [[text] for text in ada], language="zh")
    values = measure(campaign).pairs[0].values
    for name, scale in (("rouge_1", 1), ("bleu", 100)):
        assert 0 < values[name].mean == pytest.approx(METRICS[name].score(batch).corpus / scale)


def test_what_is_late_dropped_or_a_pilot_is_no_agreement(campaign, people, study):
    by = make.person(Role.REVIEWER, study)
    review_answer(answer=Answer.objects.filter(item__number=1).first(), verdict="dropped", by=by)
    assert [pair.n for pair in measure(campaign).pairs] == [2, 2, 2]
    Answer.objects.filter(item__number=2).update(late=True)
    assert [pair.n for pair in measure(campaign).pairs] == [1, 1, 1]


def test_of_many_pairs_of_texts_some_are_drawn_by_the_seed(campaign):
    assert pairs_to_compare(campaign) == 9
    made = measure(campaign, most=3)
    assert (made.compared, made.drawn) == (9, 3)
    assert made == measure(campaign, most=3)


def test_choices_have_alpha_and_f1():
    labelled = make.study(items=3, systems=1)
    campaign = make.campaign(labelled, "label", overlap=2, settings={"of": "outputs", "labels": ["A", "B"]})
    ada, bob = (make.person(study=labelled, name=name) for name in ("Ada", "Bob"))
    given = {ada: [["A"], ["A", "B"], []], bob: [["A"], ["A"], []]}
    for who, labels in given.items():
        for said in labels:
            content = {"labels": said, "none": not said, "note": ""}
            make.hand_in(campaign, who, make.held(campaign, who), content=content)
    made = measure(campaign)
    [pair] = made.pairs
    assert pair.values["f1"].mean == pytest.approx(2 * 2 / (3 + 2))
    assert (pair.values["f1"].low, pair.values["f1"].high, pair.n) == (pytest.approx(2 / 3), 1.0, 3)
    [alpha] = made.alphas
    # Of 12 judgements in 6 places 5 say yes, and the two people differ in one place.
    assert alpha.value == pytest.approx(1 - (2 / 12) / (2 * 5 * 7 / (12 * 11)))
    assert (alpha.raters, alpha.units) == (2, 6)
    assert summary(campaign)[0][0] == "F1, everybody beside the most experienced annotator"


def test_ratings_have_the_alpha_of_their_scale():
    rated = make.study(items=2, systems=2)
    criteria = [{"name": "formality", "scale": "formality_7"}]
    campaign = make.campaign(rated, "rate", overlap=2, settings={"criteria": criteria})
    for who in (make.person(study=rated), make.person(study=rated)):
        while (work := make.claim(campaign, who).work) is not None:
            rows = [{"formality": place} for place in range(len(work.content["candidates"]))]
            make.hand_in(campaign, who, work, content={"ratings": rows})
    made = measure(campaign)
    [alpha] = made.alphas
    assert (alpha.name, alpha.raters, alpha.units) == ("formality", 2, 4)
    assert alpha.value is not None
    assert made.compared == made.drawn == campaign.items.count() > 0
    run = start_agreement(campaign=campaign, by=None)
    task(run.job_id)
    run.job.refresh_from_db()
    assert (run.job.warning, "people: 2" in run.job.told) == ("", True)


def test_the_page_and_its_files(campaign, people, study, monkeypatch):
    client = as_person(make.person(Role.RESEARCHER, study))
    address = reverse("campaign_agreement", args=[study.slug, campaign.slug])
    shown = client.get(address).content.decode()
    for words in ("ROUGE-L", "BLEU-4", "Ada", "over 6 items"):
        assert words in shown
    told = client.get(address + "json/").json()
    assert told["people"][0] == {"person": str(people[0].pseudonym), "answers": 3}
    rows = list(csv.DictReader(StringIO(client.get(address + "csv/").content.decode())))
    assert len(rows) == 3 * 4
    assert float(rows[0]["mean"]) == pytest.approx(told["pairs"][0]["values"]["rouge_1"]["mean"])
    assert "Ada" not in client.get(address + "csv/").content.decode()
    assert client.get(address + "xml/").status_code == 404
    monkeypatch.setattr(measured_at, "AT_ONCE", 8)
    assert "Not computed yet" in client.get(address).content.decode()
    assert client.get(address + "csv/").status_code == 404


def test_nothing_to_compare_is_said(study, people):
    campaign = make.campaign(study)
    client = as_person(make.person(Role.RESEARCHER, study))
    address = reverse("campaign_agreement", args=[study.slug, campaign.slug])
    assert "Nothing to compare" in client.get(address).content.decode()
    assert summary(campaign) == []
    assert list(agreement_lines(study, [campaign.slug])) == []


def test_a_job_measures_with_a_language_model(campaign, study, tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_BERTSCORE_MODEL", str(tiny_encoder.make(tmp_path / "tiny")))
    run = start_agreement(campaign=campaign, by=None)
    with pytest.raises(UserError, match="already"):
        start_agreement(campaign=campaign, by=None)
    task(run.job_id)
    run.refresh_from_db()
    made = Agreement.read(run.result)
    assert 0 < made.against_reference()["bertscore"].low <= 1
    client = as_person(make.person(Role.RESEARCHER, study))
    shown = client.get(reverse("campaign_agreement", args=[study.slug, campaign.slug])).content.decode()
    assert "BERTScore" in shown
    assert "Computed on" in shown


def test_a_datasheet_names_nobody(campaign, study, people):
    text = "\n".join(agreement_lines(study, [campaign.slug]))
    assert "ROUGE-1, everybody beside the most experienced annotator: 0." in text
    assert "(n=6)" in text
    assert not any(who.name in text for who in people)
    assert agreement.LABELS["bleu"] in text
