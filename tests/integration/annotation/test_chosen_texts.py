"""Judging some sentences, texts that no system wrote, sources alone, and whole documents; worked through the API."""

import json
from collections import Counter
from uuid import uuid4

import pytest
from support import campaigns as make

from accounts.actions.make_token import make_token
from annotation.campaigns.materials import sentences
from annotation.effective_annotations import judgements
from annotation.models import Campaign
from corpora.actions.add_references import add_references
from corpora.models import Document, DocumentSentence, Output, Sentence, Study, System
from foundation.errors import UserError
from foundation.text_keys import text_key

pytestmark = pytest.mark.django_db
FLUENCY = {"criteria": {"fluency": {"scale": "slider_100"}}}


@pytest.fixture
def study():
    return make.study(items=6, systems=2, references=1)


def keys(study):
    return list(Sentence.objects.filter(direction__study=study).order_by("number").values_list("pk", flat=True))


def works(client, campaign, answer):
    """Do the whole campaign as one annotator through the API; each item as it was presented, and the raw bodies."""
    _, secret = make_token(person=make.person(study=campaign.study), name="test", scopes=["annotate"], days=1)
    base = f"/api/studies/{campaign.study.slug}/campaigns/{campaign.slug}/"
    options = {"content_type": "application/json", "headers": {"Authorization": f"Token {secret}"}}
    items, said = [], client.post(base + "next/", **options)
    bodies = [said.content.decode()]
    while work := (said.json()["work"] if "work" in said.json() else said.json()["next"]["work"]):
        items.append(work["item"])
        body = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "content": answer(work["item"])}
        said = client.post(base + "answers/", json.dumps(body), **options)
        assert said.status_code == 200, said.content
        bodies.append(said.content.decode())
    return items, bodies


def rated_by_length(item):
    return {"ratings": [{"fluency": min(100, len(row["text"]))} for row in item["groups"][0]["rows"]]}


def test_chosen_sentences_with_extra_texts_are_rated_like_any_other(study, client):
    ids = keys(study)
    broken = {ids[3]: ["see broken you 4", "Broken twice"], ids[1]: ["You should see 2 in manner 1."]}
    campaign = make.campaign(study, "rate", settings=FLUENCY, sentences=[ids[3], ids[1]], extras=broken)
    assert list(campaign.items.values_list("sentence_id", flat=True)) == [ids[1], ids[3]]
    items, bodies = works(client, campaign, rated_by_length)
    shown = [{row["text"] for row in item["groups"][0]["rows"]} for item in items]
    own = [{f"You should see {number} in manner {system}." for system in (1, 2)} for number in (2, 4)]
    assert shown == [own[0], own[1] | {"see broken you 4", "Broken twice"}]  # what a system wrote too stands once
    assert items[0]["groups"][0]["criteria"][0]["kind"] == "range"
    for body in bodies:
        assert not any(word in body for word in (*make.SYSTEMS, "extra", "control", "turn"))
    found = {(judgement.sentence_id, judgement.text_key): judgement.value for judgement in judgements(study)}
    assert found[ids[3], text_key("Broken twice")] == 12
    assert len(found) == 6


def test_each_extra_text_comes_at_each_place_equally_often(study):
    extras = {pk: [f"Extra {number}"] for number, pk in enumerate(keys(study))}
    campaign = make.campaign(study, "rate", settings=FLUENCY, extras=extras, overlap=3)
    places = Counter()
    for assignment in campaign.assignments.select_related("item"):
        shown = [assignment.item.content["candidates"][index] for index in assignment.order]
        places[next(place for place, text in enumerate(shown) if text.startswith("Extra"))] += 1
    assert places == {0: 6, 1: 6, 2: 6}


def test_what_cannot_be_chosen_is_refused_and_nothing_is_made(study):
    ids, other = keys(study), keys(make.study(items=1))[0]
    first = make.campaign(study, name="first")
    for task, options, where in [
        ("rate", {"sentences": [ids[0], other]}, "sentences"),
        ("rate", {"extras": {other: ["x"]}}, "sentences"),
        ("rate", {"sentences": ids[:1], "splits": ["train"]}, "sentences"),
        ("rate", {"sentences": ids[:1], "planned": True}, "sentences"),
        ("verify", {"sentences": ids[:1], "after": first}, "sentences"),
        ("adapt", {"sentences": ids[:1]}, "sentences"),
        ("rewrite", {"extras": {ids[0]: ["x"]}}, "extras"),
        ("rate", {"sentences": []}, ""),
    ]:
        with pytest.raises(UserError) as caught:
            make.campaign(study, task, state="draft", **options)
        assert caught.value.where == where, options
    assert Campaign.objects.filter(study=study).count() == 1


def test_the_sources_of_a_study_without_systems_are_rated(client):
    bare = make.study(items=4)
    ids = keys(bare)
    settings = {"criteria": {"formality": {"scale": "formality_7"}}, "rate_source": True}
    campaign = make.campaign(bare, "rate", settings=settings, sentences=ids[1:])
    items, _ = works(client, campaign, lambda item: {"ratings": [{"formality": -2}]})
    assert [item["source"] for item in items] == ["", "", ""]  # it is what is judged; it does not stand beside itself
    texts = dict(Sentence.objects.filter(pk__in=ids[1:]).values_list("pk", "text"))
    found = {
        (judgement.sentence_id, judgement.text_key, judgement.criterion, judgement.value)
        for judgement in judgements(bare)
    }
    assert found == {(pk, text_key(text), "formality", -2.0) for pk, text in texts.items()}
    with pytest.raises(UserError):
        make.campaign(bare, "rate", settings={**settings, "rate_source": False})


def test_the_best_and_the_worst_through_the_api(study, client):
    third = System.objects.create(study=study, number=3, name="ThirdSecret", origin="a test")
    ids = keys(study)
    Output.objects.bulk_create(Output(system=third, sentence_id=pk, text="You should see it.") for pk in ids)
    campaign = make.campaign(study, "best_worst", sentences=ids[:3], extras={pk: ["a broken one"] for pk in ids[:3]})

    def choose(item):
        """The first system's is the best, the broken one the worst, wherever they stand."""
        places = {row["text"]: row["place"] for row in item["rows"]}
        best = next(place for text, place in places.items() if text.endswith("manner 1."))
        return {"best": best, "worst": places["a broken one"]}

    items, bodies = works(client, campaign, choose)
    assert [sorted(item) for item in items] == [["beside", "question", "references", "rows", "source", "unfolded"]] * 3
    assert not any(name in body for name in (*make.SYSTEMS, "ThirdSecret") for body in bodies)
    values: dict[float, set[str]] = {}
    for judgement in judgements(study):
        assert judgement.criterion == "best_worst"
        values.setdefault(judgement.value, set()).add(judgement.text_key)
    assert values[1.0] == {text_key(f"You should see {number} in manner 1.") for number in (1, 2, 3)}
    assert values[-1.0] == {text_key("a broken one")}
    assert len(values[0.0]) == 4


@pytest.fixture
def documents(study):
    """The study's six sentences: two documents of two sentences, the second in reverse, and two of their own."""
    for number in (1, 2):
        document = Document.objects.create(study=study, number=number, style="informal")
        DocumentSentence.objects.bulk_create(
            DocumentSentence(document=document, number=place, text="x") for place in (1, 2)
        )
    origins = DocumentSentence.objects.filter(document__study=study).order_by("document__number", "number")
    for number, origin in zip((1, 2, 4, 3), origins, strict=True):
        Sentence.objects.filter(direction__study=study, number=number).update(origin=origin)
    Study.objects.filter(pk=study.pk).update(unit=Study.Unit.DOCUMENT)
    study.refresh_from_db()
    return study


def test_a_study_of_documents_is_rated_by_whole_documents(documents, client):
    ids = keys(documents)
    Output.objects.filter(system__number=2, sentence_id=ids[1]).delete()
    add_references(direction=documents.directions.get(), texts=["One.", None, None, None, None, None], origin="partly")
    campaign = make.campaign(documents, "rate", settings={"criteria": {"content": {"scale": "content_5"}}})
    assert list(campaign.items.values_list("sentence_id", flat=True)) == [ids[0], ids[3], ids[4], ids[5]]
    items, _ = works(client, campaign, lambda item: {"ratings": [{"content": 3}] * len(item["groups"][0]["rows"])})
    assert items[0]["source"] == "gotta see number 1 , u know gotta see number 2 , u know"
    assert items[0]["references"] == ["Reference 0 of sentence 1. Reference 0 of sentence 2.", "One."]
    assert [row["text"] for row in items[0]["groups"][0]["rows"]] == [
        "You should see 1 in manner 1. You should see 2 in manner 1."  # the other system's is not complete
    ]
    assert items[1]["source"] == "gotta see number 4 , u know gotta see number 3 , u know"
    assert {row["text"] for row in items[1]["groups"][0]["rows"]} == {
        f"You should see 4 in manner {number}. You should see 3 in manner {number}." for number in (1, 2)
    }
    assert items[2]["source"] == "gotta see number 5 , u know"


def test_documents_are_chosen_by_their_first_sentence_and_writing_stays_by_sentence(documents):
    ids = keys(documents)
    campaign = make.campaign(documents, "rank", sentences=[ids[3]], extras={ids[3]: ["Nothing of it."]})
    assert [item.sentence_id for item in campaign.items.all()] == [ids[3]]
    assert "Nothing of it." in campaign.items.get().content["candidates"]
    with pytest.raises(UserError, match=f"Sentence {ids[2]} is not among"):
        make.campaign(documents, "rank", sentences=[ids[2]])
    assert make.campaign(documents, "rewrite").size == 6


def test_material_costs_the_same_queries_however_many_sentences(documents, django_assert_max_num_queries):
    campaign = make.campaign(documents, "rate", settings=FLUENCY)
    systems = list(documents.systems.all())
    with django_assert_max_num_queries(8):
        assert len(list(sentences(campaign, systems))) == 4
