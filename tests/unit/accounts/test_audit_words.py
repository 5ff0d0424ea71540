"""The audit log's words for people: every act has words, and values are told as pages tell them."""

import pytest

from accounts import audit
from accounts.audit_reading import entry_in_words
from accounts.audit_words import ACTIONS, FIELDS, THINGS
from accounts.models import AuditEntry
from accounts.permissions.actions import NEEDS
from accounts.permissions.routes import TAKES_OUT

EVENTS = ("sign_in", "sign_out", "sign_in_failed", "second_step_failed", "add_second_step", "drop_second_step",
          "read_texts", "use_token")  # fmt: skip


def told(**fields: object) -> dict[str, object]:
    return entry_in_words(AuditEntry(**{"kind": "change", "details": {}, "changes": {}, "target": "", **fields}))


def test_every_act_has_plain_words() -> None:
    taken = [f"take_{name.removeprefix('api:').replace('-', '_')}" for name in TAKES_OUT]
    stored = [*(audit.ACTIONS.get(name, name) for name in NEEDS), *EVENTS, *taken]
    assert sorted(set(stored) - set(ACTIONS)) == []
    assert all("_" not in words for words in [*ACTIONS.values(), *FIELDS.values(), *THINGS.values()])


def test_things_and_fields_are_named_as_pages_name_them() -> None:
    found = told(
        action="close_human_study", target="human study one-of-two",
        changes={"state": ["open", "closed"], "closed_at": [None, "2026-11-27T08:48:13+00:00"]},
    )  # fmt: skip
    assert (found["action"], found["target"]) == ("Closed a human study", "human study one-of-two")
    assert found["changed"] == "State: Open → Closed"


@pytest.mark.parametrize(("details", "given"), [
    ({"target": "texts", "settings": "0"}, "Content: texts"),
    ({"state": "closed"}, ""),  # the change says it
    ({"restricted": True, "title": ""}, "Restricted texts"),
    ({"some_key": 3}, "Some key: 3"),
    ({"verdict": "accepted"}, "Verdict: Accepted"),
    ({"model": "pbmt", "device": "auto"}, "Model: PBMT, Device: GPU where there is one"),
    ({"role": "expert_annotator", "takes": "farthest"},
     "Role: Expert annotator, Input: The rewrite farthest from its source"),
    ({"rule": "random"}, "Rule: At random: each sentence by itself"),
    ({"split": "test", "template": "plaba"}, "Split: Test, Template: Abstracts (PLABA)"),
    ({"model": "of a lab's own", "split": "a word"}, "Model: of a lab's own, Split: a word"),
])  # fmt: skip
def test_an_argument_that_says_nothing_is_left_out(details: dict[str, object], given: str) -> None:
    found = told(action="keep_table", target="study demo", details=details, changes={"state": ["open", "closed"]})
    assert found["given"] == given


def test_a_field_that_was_sent_as_it_was_is_no_change() -> None:
    sent = {"unit": "sentence", "title": "Tones"}
    found = told(action="edit_study", target="study demo", details=sent, changes={"title": ["Tone", "Tones"]})
    assert (found["given"], found["changed"]) == ("", "Title: Tone → Tones")
    assert told(action="create_study", target="study demo", details=sent)["given"].startswith("Unit of judgement")


@pytest.mark.parametrize(("change", "words"), [
    ({"restricted": [False, True]}, "Restricted texts: no → yes"),
    ({"styles": [["a"], ["a", "b"]]}, "Styles: a → a, b"),
    ({"study license": ["", "CC0"]}, "Study, Licence of the texts: – → CC0"),
    ({"closed_at": [None, "2026-11-27T08:48:13+00:00"]}, "Closed at: – → 27 Nov 2026, 08:48"),
])  # fmt: skip
def test_values_are_told_as_people_write_them(change: dict[str, object], words: str) -> None:
    assert told(action="edit_campaign", target="campaign one", changes=change)["changed"] == words
