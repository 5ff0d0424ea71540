"""No change without its row in the audit log: every action is recorded, or is a record itself."""

import importlib
import inspect
from pathlib import Path

from django.db import models
from django.utils.translation.trans_real import translation

from accounts import audit
from accounts.audit import WAYS
from accounts.audit_words import FIELDS, THINGS
from accounts.permissions import SITE, Can
from accounts.permissions.actions import NEEDS
from foundation.key_labels import label_of_key

ROOT = Path(__file__).parents[3]
ROOMS = {
    "demo": "platform",
    "accounts": "platform", "jobs": "platform", "corpora": "platform", "backup": "platform", "studies": "platform",
    "study_file": "platform", "notifications": "platform", "integrations.webhooks": "platform",
    "integrations.recruiting": "platform", "integrations.publishing": "platform", "annotation": "",
    "modelserving": "", "evaluation": "",
}  # fmt: skip
# Each of these leaves a row of its own that says who did what and when, or is a step of an action that is recorded.
THEIR_OWN = {
    "accounts.keep_table_view": "the view itself, which only its person sees",
    "annotation.claim_assignment": "the assignment's lease",
    "annotation.lease_ahead": "the assignments' leases",
    "annotation.set_daily_goal": "the membership in the campaign; nobody else sees the goal",
    "annotation.submit_answer": "the answer",
    "annotation.revise_answer": "the answer's revision",
    "annotation.submit_or_revise": "the answer, or its revision",
    "annotation.skip_item": "the answer, skipped",
    "annotation.report_problem": "the answer, reported",
    "annotation.save_draft": "the draft",
    "annotation.save_change": "the draft",
    "annotation.undo_last_act": "the assignment's lease; an answer stays until it is changed",
    "annotation.read_guideline": "the membership in the campaign",
    "annotation.enter_crowd": "the participant, whose id must not be told twice",
    "annotation.answer_consent": "the participant",
    "annotation.leave_crowd": "the participant",
    "annotation.make_release": "the release, begun by start_release",
    "annotation.translate_sentences": "the job, begun by start_translation",
    "evaluation.make_report": "the report, worked out from what is there",
    "evaluation.judge_outputs": "the work of start_judging, which is recorded",
    "evaluation.rate_by_machine": "the answers, through the actions of people; start_machine_rater is recorded",
    "corpora.invite_members": "each address, by invite_member",
    "corpora.create_study_from_table": "the study, its direction and its table, each by its own action",
    "corpora.set_table": "the table that waits, of which nothing has entered",
    "corpora.drop_table": "nothing: none of the table had entered",
    "corpora.purge_removals": "the removal, recorded when it was made",
    "jobs.queue_job": "the job",
    "corpora.lock_study": "nothing: it changes nothing",
}


def actions():
    for room, root in ROOMS.items():
        for file in sorted((ROOT / root / room.replace(".", "/") / "actions").glob("[a-z]*.py")):
            yield f"{room}.{file.stem}"


def is_recorded(name):
    room, _, action = name.rpartition(".")
    return _wrapped_by_the_log(getattr(importlib.import_module(f"{room}.actions.{action}"), action))


def test_an_action_is_recorded_or_a_record():
    assert [name for name in actions() if is_recorded(name) == (name in THEIR_OWN)] == []


def test_what_is_said_to_be_a_record_is_an_action():
    assert set(THEIR_OWN) <= set(actions())


def recorded():
    """Every recorded action by its name."""
    split = [name.rpartition(".") for name in actions()]
    modules = [importlib.import_module(f"{room}.actions.{action}") for room, _, action in split]
    found = [value for module in modules for value in vars(module).values() if _wrapped_by_the_log(value)]
    return {action.__name__: action for action in found}


def test_every_recorded_action_says_what_it_asks_of_a_person_and_no_other_does():
    assert set(recorded()) == set(NEEDS)


# Arguments of which a row tells nothing that people read: whole records, plans of what else is done, and switches.
UNREAD = {
    "agent", "agrees", "choice", "fields", "forget", "further", "given", "happened", "keep", "limit", "may_change",
    "numbers", "prepared", "replaces", "score", "seen", "send", "table", "wanted", "wish", "within", "writes",
}  # fmt: skip


def test_every_argument_that_a_row_tells_has_words_in_the_readers_language():
    told = {
        one.name
        for action in recorded().values()
        for one in inspect.signature(action).parameters.values()
        if not (isinstance(one.annotation, type) and issubclass(one.annotation, models.Model))
    }
    catalog = translation("de")._catalog
    told = {audit.SHOWN.get(name, name) for name in told - audit.SILENT - audit.UNTOLD - UNREAD}
    named = {name for name in told if name in FIELDS or name.replace("_", " ") in THINGS}
    assert {name for name in told - named if label_of_key(name.removesuffix("_id")) not in catalog} == set()


def test_an_action_that_asks_for_a_role_in_a_study_is_given_the_study_or_something_of_it():
    asks = [name for name, need in NEEDS.items() if isinstance(need, Can) and need not in SITE]
    found = recorded()
    assert [name for name in asks if not any(map(_is_of_a_study, _always_given(found[name])))] == []


def _always_given(action):
    """The kinds of rows that nobody can leave out of a call of the action."""
    plain = inspect.unwrap(action)
    for name, parameter in inspect.signature(plain).parameters.items():
        said = parameter.annotation
        if name == "by" or parameter.default is not parameter.empty or (isinstance(said, str) and "[" in said):
            continue
        kind = eval(said, plain.__globals__) if isinstance(said, str) else said  # noqa: S307
        if isinstance(kind, type) and issubclass(kind, models.Model):
            yield kind


def _is_of_a_study(kind):
    """Whether each row of the kind belongs to a study, by the ways that the log walks, or names its study."""
    fields = {field.name: field for field in kind._meta.fields}
    ways = [fields[way] for way in WAYS if way in fields]
    return (
        kind._meta.label_lower == "corpora.study"
        or "study_slug" in fields
        or any(not way.null and _is_of_a_study(way.related_model) for way in ways)
    )


def _wrapped_by_the_log(value):
    while (inner := getattr(value, "__wrapped__", None)) is not None:  # another wrapper may stand around the log's
        code = getattr(value, "__code__", None)
        if code is not None and code.co_filename.endswith("accounts/audit.py"):
            return True
        value = inner
    return False
