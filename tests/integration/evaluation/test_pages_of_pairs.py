"""Pages of pairs: what a page of the comparison reads and sends is that of the pairs that it shows."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns
from support.request_costs import cost_of
from support.whole_comparison import as_given, chosen_units, measure_of, pair_of

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from corpora.models import Document, Output, Sentence, Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.kept_head_to_head import kept_head_to_head
from evaluation.models import MetricScore
from evaluation.shared_outputs import shared_outputs
from evaluation.system_comparison import OutputPair, compare_systems, number_or_none
from evaluation.views.compare import SHOWN, folded, shown_pair
from foundation.errors import UserError
from foundation.word_diff import Piece
from modelserving.presenters.labels import marked_changes

RULES, NEURAL, HUMAN = campaigns.SYSTEMS


def reported(items):
    made = campaigns.study(items=items, systems=3, references=2)
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}})
    make_report(study=made)
    return made


def client_of(*studies):
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, studies[0]))
    for other in studies[1:]:
        campaigns.Membership.objects.create(
            study=other, person_id=client.session["_auth_user_id"], role=Role.RESEARCHER
        )
    return client


@pytest.fixture(scope="module")
def few_and_many(kept_for_the_file):
    return reported(20), reported(150)


@pytest.mark.django_db
@pytest.mark.parametrize("given", [{}, {"page": 2}, {"against": "source"}])
def test_statements_and_bytes_do_not_grow_with_the_sources(given, few_and_many):
    few, many = few_and_many
    client = client_of(few, many)

    def costs(of):
        def ask():
            answer = client.get(reverse("study_compare", args=[of.slug]), given)
            assert answer.content.count(b'class="pair"') == 10
            return answer

        return cost_of(ask)

    small, large = costs(few), costs(many)
    assert large.statements == small.statements <= 20
    assert large.bytes <= small.bytes * 1.02, "numbers of three digits are a little longer"


@pytest.mark.django_db
def test_the_texts_that_are_read_are_those_of_the_page(django_assert_num_queries):
    shared = shared_outputs(reported(40), RULES, NEURAL)
    with django_assert_num_queries(5) as asked:
        assert [pair.number for pair in shared[10:20]] == list(range(11, 21))
    assert not [one["sql"] for one in asked.captured_queries if "LIMIT" not in one["sql"] and " IN (" not in one["sql"]
                and "referenceset" not in one["sql"]]  # fmt: skip


@pytest.fixture(scope="module")
def eight(kept_for_the_file):
    return reported(8)


@pytest.mark.django_db
@pytest.mark.parametrize("asked", [{}, {"split": "tune"}, {"split": "all"}, {"split": "train"}, {"direction": "0"}])
def test_pairs_are_those_of_the_comparison(asked, eight):
    study = eight
    numbers = Sentence.objects.filter(direction__study=study)
    numbers.filter(number__in=[2, 5, 6]).update(split="tune")
    Output.objects.filter(system__name=NEURAL, sentence__number__in=[1, 5]).delete()
    Output.objects.filter(system__name=NEURAL, sentence__number=7).update(text="You  should see 7 in manner 1.")
    comparison, shared = (compares(study, RULES, NEURAL, **asked) for compares in (compare_systems, shared_outputs))
    assert shared.split == comparison.split
    assert shared.count() == comparison.shared_count > 0
    assert shared[:] == [pair_of(comparison, unit) for unit in chosen_units(comparison, {})]
    differing = [pair.unit for pair in shared.found("", differing=True)]
    assert differing == chosen_units(comparison, {"differing": "on"})
    found = [pair.unit for pair in shared.found("NUMBER 3", differing=False)]
    assert found == chosen_units(comparison, {"search": "NUMBER 3"})


def judged(items):
    """Sources with three metrics, one of them with poles, and two raters' judgements of fluency of two systems."""
    made = campaigns.study(items=items, systems=3, references=1)
    keep_criteria(made, [{"name": "fluency", "scale": "likert_5", "aspect": "fluency", "beside": "nothing"}])
    given = [
        Judgement(f"w{r}", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "fluency",
                  1 + (n * k + r) % 5, None, n)
        for n in range(1, items) for k in (1, 2) for r in (0, 1)
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "chrf": {}, "fkgl": {}})
    make_report(study=made)
    return made


ASKED = [
    {"by": by} | more
    for by in ("metric:edit_distance", "metric:fkgl", "criterion:fluency")
    for more in (
        {}, {"order": "lowest", "of": "second"}, {"of": "first"}, {"outcome": "first"}, {"outcome": "tie"},
        {"search": "1", "outcome": "second"},
    )
]  # fmt: skip


@pytest.mark.django_db
def test_sorted_pairs_are_those_of_the_comparison_and_have_its_values():
    study = judged(12)
    Sentence.objects.filter(direction__study=study, number__in=[2, 5]).update(split="tune")
    Output.objects.filter(system__name=NEURAL, sentence__number=3).delete()
    for place in ({"split": "all"}, {"split": "tune"}, {"direction": "0"}):
        comparison, shared = (of(study, RULES, NEURAL, **place) for of in (compare_systems, shared_outputs))
        for asked in ASKED:
            ordered, wanted = shared.sorted(asked), chosen_units(comparison, asked)
            assert [pair.unit for pair in ordered[0:99]] == wanted, (place, asked)
            values = measure_of(comparison, asked["by"]).values
            for unit in wanted[:3]:
                assert ordered.values_of(unit + 1) == tuple(number_or_none(of[unit]) for of in values)
        units = [unit for unit, here in enumerate(comparison.shared.tolist()) if here]
        scores = shared.scores([unit + 1 for unit in units])
        for unit in units:
            given = [as_given(comparison, one, unit) for one in comparison.measures if one.of_sentences]
            told = [(one.measure.label, one.values, one.better, one.judgements) for one in given]
            shown = [(one.label, one.values, one.better, tuple(map(list, one.judgements))) for one in scores[unit + 1]]
            assert shown == [one for one in told if one[1] != (None, None)]


@pytest.mark.django_db
def test_pairs_are_sorted_by_length_of_the_source_and_of_the_outputs():
    study = reported(12)
    Output.objects.filter(system__name=NEURAL, sentence__number=4).update(text="x" * 90)
    shared = shared_outputs(study, RULES, NEURAL)
    by_output = shared.sorted({"by": "length:output", "of": "second"})
    assert by_output[0:1][0].number == 4
    assert by_output.values_of(4)[1] == 90
    longest = shared.sorted({"by": "length:source"})[0:12]
    assert [len(pair.source) for pair in longest] == sorted((len(pair.source) for pair in longest), reverse=True)
    with pytest.raises(UserError):
        shared.sorted({"by": "length:reference"})


@pytest.mark.django_db
def test_a_sorted_page_reads_the_texts_that_it_shows_and_computes_what_people_gave_once():
    study = judged(40)
    client, page = client_of(study), reverse("study_compare", args=[study.slug])
    for by in ("criterion:fluency", "metric:edit_distance", "length:output"):
        asked = {"first": RULES, "second": NEURAL, "by": by}
        client.get(page, asked)  # what people gave is computed, and kept
        with CaptureQueriesContext(connection) as read:
            assert client.get(page, asked).content.count(b'class="pair"') == 10
        said = [one["sql"] for one in read.captured_queries]
        assert len(said) <= 24
        assert not [one for one in said if 'FROM "evaluation_rating"' in one or "WITH effective" in one]
        texts = [one for one in said if '"text"' in one and ("corpora_output" in one or "corpora_sentence" in one)]
        assert texts
        assert [one for one in texts if " IN (" not in one and "LIMIT 1" not in one] == []
    import_ratings(
        study=study, format="mturk", file_name="more.csv",
        judgements=[
            Judgement("w9", "gotta see number 1 , u know", "You should see 1 in manner 1.", "formal", "fluency", 5,
                      None, 1)
        ],
    )  # fmt: skip
    (fluency,) = (score for score in shared_outputs(study, RULES, NEURAL).scores([1])[1] if score.judgements[0])
    assert len(fluency.judgements[0]) == 3, "what was kept is no longer what people gave"


@pytest.mark.django_db
def test_the_head_to_head_is_computed_once_and_a_page_of_the_endpoint_reads_its_own_pairs():
    study = judged(40)
    client = client_of(study)
    asked = {"first": RULES, "second": NEURAL, "by": "criterion:fluency", "page_size": 5}
    page, endpoint = reverse("study_compare", args=[study.slug]), reverse("api:comparison", args=[study.slug])
    for address, given in ((page, asked | {"view": "numbers"}), (endpoint, asked | {"page": 2})):
        client.get(address, given)
        with CaptureQueriesContext(connection) as read:
            answer = client.get(address, given)
        said = [one["sql"] for one in read.captured_queries]
        assert not [one for one in said if 'FROM "evaluation_rating"' in one or "WITH effective" in one]
        assert not [
            one for one in said if '"text"' in one and "corpora_" in one and not (" IN (" in one or "LIMIT" in one)
        ]
    comparison = compare_systems(study, RULES, NEURAL)
    told = answer.json()
    assert [row["counts"] for row in told["head_to_head"]] == [
        None if row.counts is None else list(row.counts) for row in comparison.summary()
    ]
    for pair, unit in zip(told["results"], chosen_units(comparison, asked)[5:10], strict=True):
        given = [as_given(comparison, one, unit) for one in comparison.measures if one.of_sentences]
        assert [(one["key"], one["first"], one["difference"], one["judgements"]) for one in pair["given"]] == [
            (one.measure.key, one.values[0], one.difference, [list(map(list, of)) for of in one.judgements])
            for one in given
        ]


@pytest.mark.django_db
def test_a_kept_head_to_head_ends_with_each_change_of_what_it_is_made_from():
    study = judged(12)

    def told():
        return kept_head_to_head(shared_outputs(study, RULES, NEURAL))

    before = told()
    Sentence.objects.filter(direction__study=study, number__in=[2, 5]).update(split="tune")
    assert kept_head_to_head(shared_outputs(study, RULES, NEURAL, "tune")).shared_count == 2
    MetricScore.objects.filter(system__name=NEURAL, metric="chrf").delete()
    assert {row.key for row in before.rows} - {row.key for row in told().rows} == {"metric:chrf"}


@pytest.mark.django_db
def test_the_split_of_the_report_is_meant():
    study = reported(8)
    Sentence.objects.filter(direction__study=study, number__lte=3).update(split="tune")
    choose_report(study=study, by=None, split="tune")
    assert shared_outputs(study, RULES, NEURAL).count() == compare_systems(study, RULES, NEURAL).shared_count == 3


@pytest.mark.django_db
def test_sentences_of_a_document_are_one_pair():
    study = campaigns.study(items=7, systems=3, references=2)
    Study.objects.filter(pk=study.pk).update(unit="document")
    study.refresh_from_db()
    document = Document.objects.create(study=study, number=1, title="One", style="informal")
    for place, number in ((2, 1), (1, 3), (3, 4)):
        part = document.sentences.create(number=place, text=f"Part {place}.")
        Sentence.objects.filter(direction__study=study, number=number).update(origin=part)
    Output.objects.filter(system__name=NEURAL, sentence__number=6).delete()
    comparison, shared = compare_systems(study, RULES, NEURAL), shared_outputs(study, RULES, NEURAL)
    assert shared[:] == [pair_of(comparison, unit) for unit in chosen_units(comparison, {})]
    assert shared[:1][0].source.startswith("gotta see number 3"), "in the order of the document"


@pytest.mark.django_db
def test_scores_of_one_pair_are_asked_for_by_its_number():
    study = reported(4)
    client = client_of(study)
    page = reverse("study_compare", args=[study.slug])
    names = {"first": RULES, "second": NEURAL}
    assert b"FKGL" not in client.get(page, names).content.partition(b'class="pair-table"')[2]
    shown = client.get(page, {**names, "scores": "2"}, headers={"HX-Request": "true"}).content.decode()
    assert "FKGL" in shown
    assert "<html" not in shown
    assert b"pair-scores" in client.get(page, {**names, "scores": "on"}).content, "without scripts those of all"
    for odd in ("0", "5", "x", "9" * 30):
        assert client.get(page, {**names, "scores": odd}, headers={"HX-Request": "true"}).status_code == 404


LONG = " ".join(
    f"This is sentence {n} of a text that is longer than what is shown of it beside others." for n in range(9)
)


def test_a_short_text_is_shown_whole():
    assert [(fold.hidden, fold.pieces) for fold in folded([Piece("same", "One. Two.")], "en")] == [
        (False, [Piece("same", "One. Two.")])
    ]
    assert folded([], "en") == []


@pytest.mark.parametrize("language", ["en", "de", ""])
def test_a_long_text_is_folded_between_sentences_to_those_that_differ(language):
    other = LONG.replace("sentence 6 of", "line 6 of")
    folds = folded(marked_changes(LONG, other), language)
    assert "".join(piece.text for fold in folds for piece in fold.pieces if piece.kind != "gone") == other
    shown = ["".join(piece.text for piece in fold.pieces) for fold in folds if not fold.hidden]
    assert any("line" in text for text in shown)
    assert sum(map(len, shown)) <= SHOWN + 10
    assert sum(fold.sentences for fold in folds) == 9
    assert all(text.rstrip().endswith(".") for text in shown)


def test_sentences_that_the_others_say_are_folded_first():
    said = {sentence + "." for sentence in LONG.rstrip(".").split(". ")} - {LONG[LONG.index("This is sentence 8") :]}
    shown = [fold for fold in folded([Piece("same", LONG)], "en", said) if not fold.hidden]
    assert "sentence 8" in shown[-1].pieces[-1].text


def test_a_text_without_borders_is_not_cut():
    whole = [Piece("same", "word " * 200)]
    assert [fold.hidden for fold in folded(whole, "en")] == [False]


CLOSE, FAR = "A heart tracing was normal today.", "Nothing points to an attack of the heart."


def marks(text):
    return [piece.text for fold in text for piece in fold.pieces if piece.kind != "same"]


@pytest.mark.parametrize(
    ("against", "outputs", "apart", "marked"),
    [
        ("other", (CLOSE, FAR), (True, True), ([], [])),
        ("other", (CLOSE, CLOSE.replace("normal", "calm")), (False, False), (["normal"], ["calm"])),
        ("source", (CLOSE, FAR), (False, True), (["The", "A"], [])),
    ],
)
def test_of_texts_with_little_in_common_nothing_is_marked(against, outputs, apart, marked):
    pair = OutputPair(1, 0, CLOSE.replace("A heart", "The heart"), (), outputs)
    shown = shown_pair(pair, against, "en")
    assert shown.apart == apart
    assert tuple(map(marks, shown.outputs)) == marked
    assert ["".join(piece.text for fold in text for piece in fold.pieces if piece.kind != "gone")
            for text in shown.outputs] == list(outputs)  # fmt: skip
