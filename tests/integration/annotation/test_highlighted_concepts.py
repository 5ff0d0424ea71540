"""Linked concepts on their way into work: where they are highlighted, where they must not be, and in MSD's form."""

import json

import pytest
from support import campaigns
from support.documents import documents

from annotation.actions.make_release import make_release
from annotation.gold.release.downloads import checked_pieces
from annotation.models import Item
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.actions.link_concepts import link_concepts
from corpora.actions.select_sources import select_sources
from corpora.concepts import link_study
from corpora.models import Output, System
from corpora.source_selection import SelectionCriteria
from jobs.execution import run_job

pytestmark = pytest.mark.django_db
SOURCE = "Many cause dyspnea, pleuritic chest pain, or both."
LAY = "They make people short of breath, or give chest pain."


@pytest.fixture
def study(monkeypatch):
    """Two linked documents whose sentences are sources too, linked to concepts, with the outputs of two systems."""
    monkeypatch.delenv("RESTYLE_CONCEPTS", raising=False)
    monkeypatch.delenv("RESTYLE_KNOWLEDGE", raising=False)
    made = create_study(slug="msd", title="MSD", styles=["expert", "lay"])
    direction = add_direction(study=made, source_style="expert", target_style="lay")
    documents(made)
    made.documents.model.objects.filter(study=made).first().sentences.filter(held=True).update(held=False)
    job = link_concepts(study=made)
    run_job(job.pk, link_study)
    select_sources(direction=direction, wish=SelectionCriteria())
    for number, name in enumerate(("Ours", "Theirs"), 1):
        system = System.objects.create(study=made, number=number, name=name, origin="a test")
        Output.objects.bulk_create(
            Output(system=system, sentence=sentence, text=f"{name}: {sentence.text}")
            for sentence in direction.sentences.all()
        )
    return made


def contents(study, task_type, **settings):
    campaign = campaigns.campaign(study, task_type, settings=settings)
    return [item.content for item in Item.objects.filter(campaign=campaign).order_by("number")]


def terms(concepts):
    return [concept["term"] for concept in concepts]


def test_a_rewrite_an_alignment_and_an_adaptation_hold_them_where_they_are_asked_for(study):
    by_source = {content["source"]: content for content in contents(study, "rewrite", highlight_concepts=True)}
    assert terms(by_source[SOURCE]["concepts"]) == ["dyspnea", "pleuritic chest pain"]
    assert by_source[SOURCE]["concepts"][0]["definition"] == "The feeling of not getting enough air."
    assert '"concepts"' in json.dumps(contents(study, "align", highlight_concepts=True))
    (adapted,) = [
        content for content in contents(study, "adapt", highlight_concepts=True) if SOURCE in json.dumps(content)
    ]
    assert "pleuritic chest pain" in terms(
        concept for one in adapted["sentences"] for concept in one.get("concepts", [])
    )  # fmt: skip


@pytest.mark.parametrize(
    ("task_type", "chosen"),
    [
        ("rate", {}),
        ("rank", {}),
        ("rephrase_simplify", {}),
        ("rephrase_simplify", {"hidden_dictionary": True}),
        ("rewrite", {"highlight_concepts": False}),
        ("adapt", {"highlight_concepts": False}),
    ],
)
def test_nothing_of_them_is_in_blind_work(study, task_type, chosen):
    given = contents(study, task_type, **chosen)
    assert given
    assert not any(word in json.dumps(given) for word in ("concept", "definition", "C0013404"))


def test_msds_form_links_both_sides_with_the_ranges_of_their_words(study):
    campaign = campaigns.campaign(study, "rewrite", settings={"highlight_concepts": True})
    who = campaigns.person(study=study)
    work = campaigns.held(campaign, who)
    while work.content["source"] != SOURCE:
        campaigns.hand_in(campaign, who, work, content={"text": "Something else."})
        work = campaigns.held(campaign, who)
    campaigns.hand_in(campaign, who, work, content={"text": LAY})
    release = make_release(study=study, settings={"forms": ["msd"]})
    file = next(one for one in release.files.all() if one.name.startswith("msd"))
    lines = [json.loads(line) for line in b"".join(checked_pieces(file)).splitlines()]
    at = next(at for at, line in enumerate(lines) if line["text"] == SOURCE)
    assert lines[at : at + 2] == [
        {"text": SOURCE, "label": 0, "concepts": [
            {"range": [2, 2], "term": "dyspnea", "cui": ["C0013404"]},
            {"range": [3, 5], "term": "pleuritic chest pain", "cui": ["C0008033"]},
        ]},
        {"text": LAY, "label": 1, "concepts": [
            {"range": [3, 5], "term": "short of breath", "cui": ["C0013404"]},
            {"range": [8, 9], "term": "chest pain", "cui": ["C0008031"]},
        ]},
    ]  # fmt: skip
