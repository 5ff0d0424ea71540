"""Linked documents of two styles become the pairs that a study of documents is trained on and scored by."""

import pytest
from django.urls import reverse

from accounts.models import Person
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_linked_references import add_linked_references
from corpora.actions.assign_splits import assign_splits
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.actions.link_documents import link_documents
from corpora.actions.select_sources import select_sources
from corpora.formats import RawDocument, RawSection
from corpora.models import DocumentSentence, Reference
from corpora.source_selection import SelectionCriteria
from evaluation.snapshot_builder.build import read_study
from foundation.errors import UserError
from modelserving.training_runs.dataset_snapshot import take_snapshot
from modelserving.training_runs.requirements import check_needs
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db
STYLES = ("expert", "lay")


def said(number: int, style: str) -> tuple[str, ...]:
    """The sentences of a document: the lay version has one fewer, and no sentence of its own beside another's."""
    return tuple(f"{style.title()} {number} says {place}." for place in range(3 if style == "expert" else 2))


@pytest.fixture
def study():
    """Ten pairs of documents with equal titles and an expert one alone, all expert sentences sources."""
    study = create_study(slug="linked", title="Linked", styles=list(STYLES))
    edit_study(study=study, unit="document")
    direction = add_direction(study=study, source_style="expert", target_style="lay")
    for style in STYLES:
        raw = [
            RawDocument((RawSection("", said(number, style)),), title=f"Title {number}", code=f"{style}{number}")
            for number in range(11 if style == "expert" else 10)
        ]
        add_documents(study=study, documents=raw, style=style, hold_flagged=False)
    select_sources(direction=direction, wish=SelectionCriteria(rule="everything"))
    return study


def linked(study):
    link_documents(study=study, source_style="expert", target_style="lay")
    return study.directions.get()


def test_they_are_trained_on_and_scored_by_documents(study, tmp_path):
    direction = linked(study)
    with pytest.raises(UserError, match="take the linked documents as references on the page Groups"):
        check_needs(TRANSFERS["seq2seq"], study, None)
    made = add_linked_references(direction=direction)
    assign_splits(study=study, rule="document", proportions={"train": 60, "tune": 20, "test": 20})
    data = take_snapshot(study, STYLES, direction, tmp_path)
    pairs = {" ".join(said(number, "expert")): " ".join(said(number, "lay")) for number in range(10)}
    trained = dict(zip(data.train.sources, data.train.targets, strict=True))
    assert len(trained) + len(data.dev) >= 7
    assert trained.items() <= pairs.items()
    assert [texts[0] for texts in data.dev.of_each] == [pairs[source] for source in data.dev.sources]
    assert check_needs(TRANSFERS["seq2seq"], study, None) == (direction, STYLES)
    assert made.references.exclude(text="").count() == 10
    scored = [texts for texts in read_study(study).texts.units.references if texts]
    assert sorted(scored) == sorted([text] for text in pairs.values())


def test_links_the_other_way_round_count_too(study):
    link_documents(study=study, source_style="lay", target_style="expert")
    made = add_linked_references(direction=study.directions.get())
    assert made.references.exclude(text="").count() == 10


def test_what_is_held_back_or_dropped_is_left_out(study):
    direction = linked(study)
    own = DocumentSentence.objects.filter(document__code__in=["lay1", "lay2"]).order_by("document", "number")
    own.filter(document__code="lay1", number=2).update(held=True)
    own.filter(document__code="lay2").update(dropped=True)
    add_linked_references(direction=direction)
    texts = Reference.objects.filter(sentence__origin__document__code="expert1").exclude(text="")
    assert list(texts.values_list("text", flat=True)) == [said(1, "lay")[0]]
    assert not Reference.objects.filter(sentence__origin__document__code="expert2").exists()


def test_what_cannot_be_done_is_said_and_changes_nothing(study):
    direction = study.directions.get()
    with pytest.raises(UserError, match="expert-lay: No document with a source is linked with one in lay"):
        add_linked_references(direction=direction)
    linked(study)
    add_linked_references(direction=direction)
    with pytest.raises(UserError, match="already has the linked documents as references"):
        add_linked_references(direction=direction)
    assert direction.reference_sets.count() == 1
    direction.reference_sets.all().delete()
    edit_study(study=study, unit="sentence")
    direction.refresh_from_db()
    with pytest.raises(UserError, match="only if the study's unit is the document"):
        add_linked_references(direction=direction)
    assert not direction.reference_sets.exists()


@pytest.fixture
def lead(client):
    client.force_login(Person.objects.create_user("lead@example.org", role="admin"))
    return client


def test_the_page_and_the_endpoint_do_so(study, lead):
    direction = linked(study)
    page = reverse("study_groups", kwargs={"study": "linked"})
    assert "Linked documents as references" in lead.get(page).text
    answer = lead.post(
        reverse("linked_references", kwargs={"study": "linked"}), {"direction": direction.pk}, follow=True
    )
    assert "10 documents have their linked one as reference." in answer.text
    again = lead.post(reverse("linked_references", kwargs={"study": "linked"}), {"direction": direction.pk})
    assert (again.status_code, "already" in again.text) == (422, True)
    direction.reference_sets.all().delete()
    made = lead.post(
        "/api/studies/linked/links/references/", {"direction": "expert-lay"}, content_type="application/json"
    )
    assert (made.status_code, made.json()["documents"]) == (201, 10)
    refused = lead.post("/api/studies/linked/links/references/", {"direction": "expert-lay"},
                        content_type="application/json")  # fmt: skip
    assert refused.status_code == 400
    edit_study(study=study, unit="sentence")
    assert "Linked documents as references" not in lead.get(page).text
