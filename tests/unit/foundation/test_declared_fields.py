"""A field of an action is declared once: what one door takes every door takes, and all store the same."""

import json
from functools import cache
from itertools import groupby

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError as APIValidationError

from accounts.fields import CredentialFields, InvitationFields, ProfileFields, TokenFields
from accounts.option_fields import form_field, serializer_field
from annotation.actions.adopt_gold import AdoptionFields
from annotation.actions.export_answers import ExportFields
from annotation.actions.grow_campaign import GrowthFields
from annotation.actions.open_recruitment_link import RecruitmentLinkFields
from annotation.actions.reply_to_review import REPLY
from annotation.actions.review_answer import ReviewFields
from annotation.actions.set_campaign_state import StateFields
from annotation.actions.set_daily_goal import GOAL
from annotation.actions.set_expected import EXPLANATION
from annotation.actions.skip_item import COMMENT
from annotation.campaigns.fields import CampaignFields, Example, Pay
from annotation.gold.imports import GoldFields
from annotation.gold.release.settings import ReleaseFields, ReleaseSettings
from annotation.models import Campaign
from annotation.presenters.people import ActFields
from corpora.fields import (
    DocumentFields,
    EditedStudyFields,
    MemberFields,
    NewSelectionFields,
    NewStudyFields,
    SampleFields,
    SplitFields,
    SystemFields,
)
from corpora.text_files.decoding import TextFile
from evaluation.actions.exclude_rater import REASON
from evaluation.actions.make_public_link import PublicLinkFields
from evaluation.actions.upload_ratings import RatingsFields
from evaluation.human_studies.fields import Controls, Costs, Exclusions, HumanStudyFields, MainComparison
from evaluation.report_fields import ReportFields
from foundation.errors import UserError
from foundation.options import Option, check_given, list_options, option_named
from modelserving.actions.describe_training import NotesFields
from modelserving.actions.import_checkpoint import CheckpointFields
from modelserving.actions.start_training import TrainingFields
from modelserving.actions.start_transfer import TransferFields
from study_file.parser.toml_file import read_toml
from study_file.parser.toml_table import TomlTable

KINDS = (
    ActFields, AdoptionFields, CampaignFields, CheckpointFields, Controls, Costs, CredentialFields, DocumentFields,
    EditedStudyFields, Example, Exclusions, ExportFields, GoldFields, GrowthFields, HumanStudyFields, InvitationFields,
    MainComparison, MemberFields, NewSelectionFields, NewStudyFields, NotesFields, Pay, ProfileFields, PublicLinkFields,
    RatingsFields, RecruitmentLinkFields, ReleaseFields, ReleaseSettings, ReportFields, ReviewFields, SampleFields,
    SplitFields, StateFields, SystemFields, TokenFields, TrainingFields, TransferFields,
)  # fmt: skip
FIELDS = {f"{kind.__name__}.{one.name}": one for kind in KINDS for one in list_options(kind)}
FIELDS |= {f"one.{one.name}": one for one in (COMMENT, EXPLANATION, GOAL, REASON, REPLY)}
PLAIN = [name for name, one in FIELDS.items() if not (one.row or one.table or one.rows)]
REFUSED = object()
api_field, page_field = cache(serializer_field), cache(form_field)


def values(one: Option) -> st.SearchStrategy[object]:
    """Values of the field's kind, within its bounds and beyond."""
    if isinstance(one.default, tuple):
        return st.lists(_texts(one), max_size=3, unique=True)
    if isinstance(one.default, bool):
        return st.booleans()
    if isinstance(one.default, str):
        return _texts(one)
    edges = [edge + step for edge in (one.low, one.high) if edge is not None for step in (-1, 0, 1)]
    if one.whole:
        return st.sampled_from([int(edge) for edge in edges]) | st.integers(-(2**40), 2**40)
    return st.sampled_from(edges) | st.floats(-1e7, 1e7)


def _texts(one: Option) -> st.SearchStrategy[str]:
    if one.choices:
        return st.sampled_from([*one.choices, "something else"])
    lengths = st.sampled_from([1, 2, one.longest, one.longest + 1])
    texts = lengths.flatmap(
        lambda length: st.sampled_from(["x" * length, "é" * length, ("a b" * length)[:length] + "c"])
    )
    texts |= st.sampled_from(["ada@example.org", " around ", "\tbefore", "after\n"])
    return texts | st.just("one line\nand another") if one.lines else texts


@cache
def values_of(name: str) -> st.SearchStrategy[object]:
    return values(FIELDS[name])


def kind_of(name: str) -> str:
    return name.partition(".")[0]


def by_check(one: Option, value: object) -> object:
    try:
        return one.check(value)
    except UserError:
        return REFUSED


def by_api(one: Option, value: object) -> object:
    try:
        held = api_field(one).run_validation(json.loads(json.dumps(value)))
    except APIValidationError:
        return REFUSED
    return by_check(one, held)


def by_file(one: Option, value: object) -> object:
    text = f"{one.name} = {json.dumps(value, ensure_ascii=False)}\n"
    try:
        found, lines = read_toml(TextFile(text.encode(), "study.toml"))
        held = TomlTable(found, (), "study.toml", lines).option(one)
    except UserError:
        return REFUSED
    return by_check(one, held)


def by_form(one: Option, value: object) -> object:
    sent = "\n".join(value) if isinstance(value, list) and not (one.choices or one.row) else value
    sent = sent.replace("\n", "\r\n") if isinstance(sent, str) and one.lines else sent  # as a browser sends lines
    try:
        held = page_field(one).clean(sent if isinstance(sent, bool | list) else str(sent))
    except ValidationError:
        return REFUSED
    return by_check(one, held)


@pytest.mark.parametrize("kind", [kind for kind, _ in groupby(PLAIN, kind_of)])
@given(data=st.data())
def test_what_one_door_takes_all_take_and_store_alike(kind: str, data: st.DataObject) -> None:
    for name in (name for name in PLAIN if kind_of(name) == kind):
        one = FIELDS[name]
        value = data.draw(values_of(name), label=name)
        assert by_api(one, value) == by_file(one, value) == by_form(one, value) == by_check(one, value), name


@pytest.mark.parametrize(
    ("given_fields", "sentence"),
    [
        ({"overlap": 500}, "overlap: Expected a number from 1 to 100."),
        ({"lease_minutes": 10_081}, "lease_minutes: Expected a number from 1 to 10,080."),
        ({"seed": 2**31}, "seed: Expected a number from -2,147,483,648 to 2,147,483,647."),
        ({"overlap": 2.0}, "overlap: Expected a whole number."),
        ({"pay": {"currency": "x" * 11}}, "pay.currency: Expected a text of at most 10 characters."),
        ({"pay": {"itm": 1}}, "pay.itm: There is no such option; did you mean item?"),
        ({"pay": {"hour": float("nan")}}, "pay.hour: Expected a number from 0 to 100,000."),
        ({"examples": [{"god": "x"}]}, "examples.0.god: There is no such option; did you mean good?"),
        ({"examples": 3}, "examples: Expected a list."),
        ({"examples": [{"good": "x"}] * 101}, "examples: At most 100 are allowed."),
        ({"name": " "}, "name: This has to be given: name."),
        ({"name": "a\ud800"}, "name: A text of the name holds a character that cannot be stored."),
        ({"roles": ["boss"]}, "roles: Expected one of researcher, reviewer, expert_annotator, crowd_annotator."),
        ({"eligibility": {"quota": -1}}, "eligibility.quota"),
    ],
)
def test_a_refusal_names_the_field(given_fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        check_given(CampaignFields, given_fields, partial=True)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"informal": "chat"}, {"informal": "chat"}),
        ({"informal": 3}, "poles.informal: Expected a text."),
        ({"informal": "x" * 61}, "poles.informal: Expected a text of at most 60 characters."),
        ({"informal": "a\0"}, "poles.informal: A text of the poles.informal holds a character that cannot be stored."),
        (["chat"], "poles: Expected a table."),
    ],
)
def test_a_table_of_texts(value: object, said: object) -> None:
    one = option_named(EditedStudyFields, "poles")
    if isinstance(said, str):
        with pytest.raises(UserError) as caught:
            one.check(value)
        assert str(caught.value) == said
    else:
        assert one.check(value) == api_field(one).run_validation(value) == said
    file = f"[poles]\ninformal = {json.dumps(value)}" if not isinstance(value, dict) else (
        "[poles]\n" + "".join(f"{key} = {json.dumps(text)}\n" for key, text in value.items())
    )  # fmt: skip

    def read() -> object:
        found, lines = read_toml(TextFile(file.encode(), "study.toml"))
        return TomlTable(found, (), "study.toml", lines).option(one)

    if isinstance(said, str):
        with pytest.raises(UserError, match=r"study.toml, line 2, (poles.)?informal: "):
            read()
    else:
        assert read() == said


def test_a_column_declares_its_option() -> None:
    columns = [column for column in Campaign._meta.local_fields if hasattr(column, "declared")]
    assert {"lease_minutes", "purpose", "splits", "reasons", "seed"} <= {column.name for column in columns}
    for column in columns:
        one, usual = option_named(CampaignFields, column.name), column.get_default()
        assert one.default == (tuple(usual) if isinstance(usual, list) else usual), column.name
        assert type(one.default) in (bool, int, str, tuple), column.name
    assert option_named(CampaignFields, "purpose").choices == ("work", "training", "qualification")
    assert (option_named(CampaignFields, "reasons").longest, option_named(CampaignFields, "seed").high) == (
        200,
        2**31 - 1,
    )


def test_a_number_that_may_be_left_out() -> None:
    one = option_named(NewSelectionFields, "sample")
    assert one.check(None) is None is api_field(one).run_validation(None)
    assert page_field(one).clean("") is None


def test_what_is_stored() -> None:
    stored = check_given(
        CampaignFields,
        {
            "name": " A ", "roles": [], "reasons": [" wrong ", "wrong", ""], "pay": {"item": 1},
            "examples": [{"about": "tone"}, {"good": " yes "}],
        },
        partial=True,
    )  # fmt: skip
    assert stored == {
        "name": "A",
        "roles": ["researcher", "reviewer", "expert_annotator", "crowd_annotator"],
        "reasons": ["wrong"],
        "pay": {"item": 1.0},
        "examples": [{"about": "", "good": "yes", "bad": "", "why": ""}],
    }


def test_the_name_of_an_option_is_said_in_words_with_the_name_behind():
    """A learning rate is no rating, and a metric's list of words no vocabulary; English shows the name alone."""
    rate, words = Option("rate", 0.1, "Learning rate"), Option("words", "", "", label="words")
    tokens = Option("tokenize", "13a", "", choices=("language", "13a"), labels=("language", "13a"))
    with override("de"):
        assert form_field(rate).label == 'Lernrate <code class="option-name">rate</code>'
        assert form_field(words).label == 'Wortliste <code class="option-name">words</code>'
        assert form_field(tokens).choices == [("language", "nach Sprache (language)"), ("13a", "13a")]
    with override("en"):
        assert (form_field(rate).label, form_field(words).label) == ("Rate", "words")
        assert form_field(tokens).choices == [("language", "language"), ("13a", "13a")]
