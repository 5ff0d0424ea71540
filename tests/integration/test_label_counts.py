"""How often each label was given, by system."""

import pytest
from django.template.loader import render_to_string
from support import campaigns as make

from annotation.progress.label_counts import label_counts
from annotation.templatetags.work import label_counts as shown
from corpora.models import Output, System

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    study = make.study(items=2)
    sentences = list(study.directions.get().sentences.order_by("number"))
    texts = {"Alpha": ["Same.", "Alpha two."], "Beta": ["Same.", ""]}
    for number, (name, outputs) in enumerate(texts.items(), 1):
        system = System.objects.create(study=study, number=number, name=name, origin="a test")
        rows = zip(sentences, outputs, strict=True)
        Output.objects.bulk_create(Output(system=system, sentence=one, text=text) for one, text in rows if text)
    settings = {"of": "outputs", "labels": ["Meaning", "Words"]}
    return make.campaign(study, "label", settings=settings, overlap=2)


def label(campaign, who, labels_of):
    for _ in range(campaign.size):
        work = make.held(campaign, who)
        labels = labels_of[work.content["text"]]
        make.hand_in(campaign, who, work, content={"labels": labels, "none": not labels})


def test_nothing_is_counted_before_anything_is_labelled(campaign):
    assert label_counts(campaign) is None
    assert label_counts(make.campaign(campaign.study)) is None


def test_a_text_of_two_systems_is_one_item_and_counts_for_both(campaign):
    assert campaign.size == 2
    label(campaign, make.person(study=campaign.study), {"Same.": ["Meaning"], "Alpha two.": ["Meaning", "Words"]})
    label(campaign, make.person(study=campaign.study), {"Same.": [], "Alpha two.": ["Meaning"]})
    counts = label_counts(campaign)
    assert counts.columns == [("", 2), ("Alpha", 2), ("Beta", 1)]
    assert counts.rows == [
        ("Meaning", [75.0, 75.0, 50.0]),
        ("Words", [25.0, 25.0, 0.0]),
        ("", [25.0, 25.0, 50.0]),
    ]
    page = render_to_string("annotation/_label_counts.html", shown(campaign))
    assert "Beta" in page
    assert 'width="75.00"' in page
