"""Makes the plan of an import from the choices, the same for pages, API and study file."""

from collections.abc import Mapping
from typing import Any

from corpora.models import Study
from corpora.table_import.column_mapping import map_columns
from corpora.table_import.targets import TARGETS, Plan
from corpora.table_parser import Question, Reading, Table
from foundation.errors import UserError

LONGEST = 200
READING = ("part", "encoding", "delimiter", "quoting", "header", "above", "errors")
"""How a table is read: what somebody may say of it, and what an answer to a question of that name says."""


def reading_with(reading: Mapping[str, str], answers: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The reading with the answers that are about it, and the other answers."""
    said = {name: value for name, value in answers.items() if name in READING}
    return {**reading, **said}, {name: value for name, value in answers.items() if name not in READING}


def reading_of(given: Mapping[str, Any], study: Study | None = None) -> Reading:
    """How a table is read, from texts: a delimiter may be called tab, or none where each line is a text.

    The names of the study's styles and systems tell a header from a row.
    """
    delimiter: str | None = str(given.get("delimiter") or "")
    named = {"": None, "tab": "\t", "none": "", "comma": ",", "semicolon": ";", "pipe": "|"}
    header = given.get("header")
    heading = {"yes": True, "no": False, True: True, False: False}.get(header) if header != "" else None
    return Reading(
        part=str(given.get("part") or ""), encoding=str(given.get("encoding") or ""),
        delimiter=named.get(str(delimiter), delimiter), header=heading, quoting=str(given.get("quoting") or ""),
        errors=str(given.get("errors") or ""), above=_whole(given.get("above")), known=_known(study),
        styles=frozenset(map(str.lower, study.styles)) if study else frozenset(),
    )  # fmt: skip


def _whole(given: object) -> int | None:
    text = str(given or "").strip() if given != 0 else "0"
    if text and not (text.isdecimal() and len(text) < 5):
        raise UserError("The number of rows above the table is a whole number.", where="above")
    return int(text) if text else None


def _known(study: Study | None) -> frozenset[str]:
    """Names that columns of a study's tables are likely to have."""
    if study is None:
        return frozenset()
    return frozenset(name.lower() for name in [*study.styles, *study.systems.values_list("name", flat=True)])


def guess_for(
    study: Study, table: Table, target: str, settings: Mapping[str, str], answers: Mapping[str, str]
) -> tuple[dict[str, str], list[Question]]:
    """A meaning for each column, and the questions that a guess leaves; an answer changes the meanings."""
    kind, asked = TARGETS[target], Plan()
    mapping = kind.guess(study, table, settings)
    for doubt in kind.doubts(study, table, mapping):
        choices = {value: changed for value, _, changed in doubt.choices}
        words = [(value, label) for value, label, _ in doubt.choices]
        if answer := asked.ask(answers, doubt.name, doubt.sentence, *words):
            mapping = {**mapping, **choices[answer]}
    return mapping, asked.questions


def plan_for(
    study: Study, table: Table, target: str, mapping: Mapping[str, str] | None, settings: Mapping[str, str],
    answers: Mapping[str, str],
) -> Plan:  # fmt: skip
    """The plan of an import; nothing is written. A mapping or a setting that is wrong is a UserError.

    Without a mapping it is guessed. Questions and notes about the file and the guess come before the target's own.
    """
    kind = TARGETS[target]
    known = {setting.name: setting for setting in kind.settings(study)}
    for name, value in settings.items():
        if name not in known:
            raise UserError(
                "There is no setting '{name}'; the settings are {known}.", name=name, known=", ".join(known), where=name
            )
        choices = dict(known[name].choices)
        if value and choices and value not in choices:
            raise UserError(
                "'{value}' is not among {choices}.", value=value, choices=", ".join(filter(None, choices)), where=name
            )
        if len(str(value)) > LONGEST:
            raise UserError("It has at most {longest} characters.", longest=LONGEST, where=name)
    chosen = {name: one.initial for name, one in known.items()}
    chosen |= {name: _flag(value) if known[name].flag else str(value) for name, value in settings.items()}
    guessed: list[Question] = []
    if mapping is None:
        mapping, guessed = guess_for(study, table, target, settings, answers)
    plan = kind.plan(study, table, map_columns(kind.meanings, table, mapping), chosen, answers)
    plan.mapping = dict(mapping)
    plan.questions[:0] = [*table.questions, *guessed]
    plan.notes[:0] = table.notes
    return plan


def _flag(value: object) -> str:
    return "" if str(value).lower() in ("", "0", "false", "no", "off") else "1"
