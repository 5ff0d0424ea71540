"""What of a module is a message."""

import ast
from pathlib import Path

import pytest

from annotation.campaigns.fields import NO_ITEMS
from foundation.project import ROOT
from tools.message_catalogs.project_messages import module_messages


def of(source: str) -> list[str]:
    return [message.singular for message in module_messages(source, "here.py")]


@pytest.mark.parametrize(("source", "messages"), [
    ('_("Submit")', ["Submit"]),
    ('x = gettext_lazy("Submit")', ["Submit"]),
    ('_("Accept" if done else "Reject")', ["Accept", "Reject"]),
    ('raise UserError("There is no {name}.", name=name)', ["There is no {name}."]),
    ('errors.UserError("There is " "none.")', ["There is none."]),
    ('class Taken(UserError):\n    def __init__(self):\n        super().__init__("It is taken.")', ["It is taken."]),
    ('GONE = "It is gone."\nraise UserError(GONE)', ["It is gone."]),
    ("from annotation.campaigns.fields import NO_ITEMS\nraise UserError(NO_ITEMS)", [NO_ITEMS]),
    ('class Other(Thing):\n    def __init__(self):\n        super().__init__("a key")', []),
    ('translate("You have {n}.", n=3)', ["You have {n}."]),
    ('class Rank:\n    label = "Rank"\n    verb = "Order the texts"', ["Rank", "Order the texts"]),
    ('Scale(label="Formality", levels=(Level(1, "Poor", "1"),))', ["Formality", "Poor"]),
    ('LABELS = ("Poor", "Good")', ["Poor", "Good"]),
    ('epochs: int = option(5, "Times, at most", low=1)', ["Times, at most"]),
    ('def f(code):\n    if code:\n        said = "It is busy."\n    else:\n        said = "It broke."\n'
     '    raise ServiceError(said)', ["It is busy.", "It broke."]),
    ('SAID = {1: "It is busy."}\ndef f(code):\n    said = SAID.get(code, "It broke.")\n    raise ServiceError(said)',
     ["It is busy.", "It broke."]),
    ('SAID = {1: "It is busy."}\ndef f(code):\n    said = SAID[code]\n    raise UserError(said)', ["It is busy."]),
    ('def f():\n    key = "a key"\n    said = other\n    raise UserError(said)', []),
    ('_(name)', []),
    ('print("Submit")', []),
    ('field(label="from_style")', []),  # a key, which nobody reads
])  # fmt: skip
def test_messages_of_a_module(source: str, messages: list[str]) -> None:
    assert of(source) == messages


def test_two_forms_and_contexts() -> None:
    [counted] = module_messages('ngettext("%(n)s item", "%(n)s items", n)', "here.py")
    assert counted.id == ("%(n)s item", "%(n)s items")
    [button] = module_messages('\npgettext_lazy("button", "Open")', "here.py")
    assert (button.singular, button.context, button.place) == ("Open", "button", ("here.py", 2))


INTEGRATIONS = sorted((ROOT / "platform" / "integrations").rglob("*.py"))
FAILURES = {"ServiceError", "TurkError", "UserError"}


@pytest.mark.parametrize("path", INTEGRATIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_failure_of_a_service_is_a_message(path: Path) -> None:
    """Whatever sentence is chosen for an error of an integration can be translated."""
    source = path.read_text(encoding="utf-8")
    found = {message.place[1] for message in module_messages(source, "here.py")}
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            raised = [call for call in ast.walk(function) if isinstance(call, ast.Call)
                      and isinstance(call.func, ast.Name) and call.func.id in FAILURES
                      and not (isinstance(call.args[0], ast.Name) and call.args[0].id.isupper())]  # fmt: skip
            if raised:
                lines = range(function.lineno, (function.end_lineno or 0) + 1)
                assert found.intersection(lines), f"line {function.lineno}: its sentence is in no catalog"


@pytest.mark.parametrize(("source", "messages"), [
    ('WHY = "All values are the same."', ["All values are the same."]),
    ('why = f"{len(known):,} of the {self.total} values are no numbers."',
     ["{n} of the {total} values are no numbers."]),
    ('why = f"There {\'is\' if n == 1 else \'are\'} {n} of {n} here."',
     ["There is {n} of {n2} here.", "There are {n} of {n2} here."]),
    ('why = f"Its rho is {rho:.3f}{f\' ({p})\' if p else \'\'} here."',
     ["Its rho is {rho} ({p}) here.", "Its rho is {rho} here."]),
    ('"""What it is about."""\nraise ValueError("x and y are of equal length.")', []),
    ('WHO = "Freitag, Mathur and others et al."\nkey = "a key. "', []),
])  # fmt: skip
def test_sentences_of_rooms_that_reports_store(source: str, messages: list[str]) -> None:
    assert [message.singular for message in module_messages(source, "evaluation/statistics/here.py")] == messages
    assert of(source) == []
