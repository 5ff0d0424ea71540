"""A language model that marks spans: its answer is JSON with quotes, which are found in the texts again.

A quote that does not stand in its text, or stands there several times, is a sentence in the log and no mark: a place is
never guessed. An item none of whose marks has a place is skipped, since without them its text would look perfect.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.answer_checks import storable
from annotation.scales import SCALES
from annotation.task_types.spans import LONGEST_REASON, MARK, MOST, checked_mark, taxonomy_of
from evaluation.llm_judge.fields import MachineFields
from evaluation.llm_judge.prompts import MARKS, in_words
from evaluation.llm_judge.quotes import places_of
from evaluation.llm_judge.rater import Asked, Given, ItemAtHand, MachineWork, asked_of, lacks, together, whole
from evaluation.llm_judge.reading import object_in, value_in
from foundation.errors import UserError
from modelserving.prompting.template import Messages
from modelserving.run_context import CUT, Answer

SHOWN = 60  # characters of a model's words that the log shows
MOST_TOLD = 100  # sentences about marks in a job's log
SIDES = {"source": "the original", "output": "the rewritten text"}


class NoMark(Exception):
    """A mark that a model gave is none; the sentence says why."""


@dataclass(frozen=True)
class Reading:
    """An answer: its marks that have a place, and its values by criterion."""

    marks: Sequence[Mapping[str, Any]]
    values: Mapping[str, float]


class Marking(MachineWork):
    """One question for each text, as people mark it: all marks, then the score."""

    way = MARKS
    tokens = 2000

    def __init__(self, fields: MachineFields, settings: Mapping[str, Any], guideline: str = "") -> None:
        super().__init__(fields, settings, guideline)
        self.taxonomy, self.kinds = taxonomy_of(settings)
        self.criteria: Sequence[Mapping[str, Any]] = settings["criteria"] if settings["score"] else []
        self.left_out = self._told = 0

    @property
    def warning(self) -> str:
        return f"{self.left_out:,} marks were left out; the log says why." if self.left_out else ""

    @property
    def response(self) -> Mapping[str, Any]:
        mark = {
            "text": {"enum": list(self.taxonomy.sides)}, "quote": {"type": "string"},
            **({"kind": {"enum": [kind.name for kind in self.kinds]}} if self.kinds else {}),
            **({"severity": {"enum": [one.name for one in self.taxonomy.severities]}}
               if self.taxonomy.severities else {}),
            **({"reason": {"type": "string"}} if self.settings["ask_reasons"] else {}),
        }  # fmt: skip
        scores = {one["name"]: {"type": "number"} for one in self.criteria}
        parts = {"marks": {"type": "array", "items": _object(mark)}, **({"scores": _object(scores)} if scores else {})}
        return {"type": "json_schema", "json_schema": {"name": "marks", "strict": True, "schema": _object(parts)}}

    def questions(self, item: ItemAtHand) -> Iterator[Asked]:
        yield Asked(item, MARK, (0,), self.messages(item, {}))

    def messages(self, item: ItemAtHand, values: Mapping[str, str]) -> Messages:
        text = item.content["candidates"][0]
        return super().messages(item, {"output": text, "form": self._form(item), **values})

    def _form(self, item: ItemAtHand) -> str:
        """How the answer is to look, in words: the taxonomy with the texts that each kind stands on, and the scales."""
        asked = asked_of(item, {"criteria": self.criteria})
        mark = '"text": "output", "quote": "..."' + "".join(
            f', "{name}": "..."' for name, there in self._parts.items() if there
        )
        scores = ", ".join(f'"{one["name"]}": 0' for one in asked)
        lines = [
            "Mark what is to be marked, then answer with one JSON object and nothing else, in this form:",
            f'{{"marks": [{{{mark}}}]' + (f', "scores": {{{scores}}}' if asked else "") + "}",
            "- marks: one for each span, an empty list where there is nothing to mark.",
            "- text: " + " or ".join(f'"{side}" for {SIDES[side]}' for side in self.taxonomy.sides) + ".",
            "- quote: the words of the span, copied from that text to the letter. If they stand there several times, "
            "quote more words around them: what cannot be told apart is no mark.",
        ]
        if self.kinds:
            lines.append("- kind, one of: " + "; ".join(f"{one.name} ({' or '.join(one.sides)})" for one in self.kinds))
        if self.taxonomy.severities:
            named = (one.name if one.name == one.label else f"{one.name} ({one.label})"
                     for one in self.taxonomy.severities)  # fmt: skip
            lines.append("- severity, one of: " + "; ".join(named))
        if self.settings["ask_reasons"]:
            lines.append(f"- reason: why, in at most {LONGEST_REASON} characters.")
        for one in asked:
            said = ": ".join(filter(None, [one["label"], one["help"]]))
            lines.append(f"- scores, {one['name']}: {said} ({in_words(SCALES[one['scale']])})")
        return "\n".join(lines)

    @property
    def _parts(self) -> dict[str, bool]:
        return {"kind": bool(self.kinds), "severity": bool(self.taxonomy.severities),
                "reason": self.settings["ask_reasons"]}  # fmt: skip

    def value(self, question: Asked, answers: Sequence[Answer]) -> dict[str, Any] | None:
        """The marks that more than half of the answers have, and their values together."""
        read = [found for answer in answers if (found := self._read(answer, question.item))]
        if not read:
            return None
        severities: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for one in read:
            for mark in one.marks:
                severities.setdefault(_key(mark), []).append(mark)
        marks = [_usual(same) for same in severities.values() if 2 * len(same) > len(read)]
        values = {}
        for criterion in self.criteria:
            name = criterion["name"]
            said = [one.values[name] for one in read if name in one.values]
            if (value := together(said, SCALES[criterion["scale"]])) is not None:
                values[name] = whole(value)
        return {"marks": marks, "none": not marks, "ratings": [values]}

    def answer(self, item: ItemAtHand, given: Given) -> dict[str, Any] | None:
        found: dict[str, Any] | None = next(iter(given.values()), None)
        if found is None or lacks(found["ratings"], asked_of(item, {"criteria": self.criteria})):
            return None
        return found if self.settings["score"] else {key: found[key] for key in ("marks", "none")}

    def _read(self, answer: Answer, item: ItemAtHand) -> Reading | None:
        """The answer read; None where it is not in the form, or none of its marks has a place."""
        found = object_in(answer.text)
        if found is None or not isinstance(found.get("marks"), list):
            cut = answer.finish == CUT
            why = "ended before its JSON did: allow more tokens" if cut else "is not the JSON asked for"
            self._tell(item, f"the model's answer {why}.")
            return None
        if len(found["marks"]) > MOST:
            self._tell(item, f"the model's answer has more than {MOST:,} marks, so it is not read.")
            return None
        marks: dict[tuple[Any, ...], dict[str, Any]] = {}
        for given in found["marks"]:
            try:
                mark = self._mark(given, item)
                marks.setdefault(_key(mark), mark)
            except NoMark as why:
                self.left_out += 1
                self._tell(item, str(why))
        if found["marks"] and not marks:
            self._tell(item, "no mark of the model's answer has a place, so it is not read.")
            return None
        return Reading(list(marks.values()), dict(self._values(found.get("scores"), item)))

    def _values(self, given: Any, item: ItemAtHand) -> Iterator[tuple[str, float]]:
        for criterion in asked_of(item, {"criteria": self.criteria}):
            raw = given.get(criterion["name"]) if isinstance(given, dict) else None
            value = value_in(str(raw), SCALES[criterion["scale"]])
            if value is not None:
                yield criterion["name"], value
            elif raw is not None:
                self._tell(item, f"{_shown(raw)} is not on the scale of {criterion['label']}.")

    def _mark(self, given: Any, item: ItemAtHand) -> dict[str, Any]:
        """The mark in its stored form. NoMark: it has no place, or no kind or severity of the taxonomy."""
        if not isinstance(given, dict) or not isinstance(given.get("quote"), str) or not given["quote"].strip():
            raise NoMark("a mark has no quote, so it is no mark.")
        side, quote = given.get("text"), given["quote"]
        if side not in self.taxonomy.sides:
            raise NoMark(f"“{_shown(quote)}” says of neither text that it stands there, so it is no mark.")
        text = item.content["source"] if side == "source" else item.content["candidates"][0]
        start, end = _place(places_of(quote, text) if len(quote) <= 2 * len(text) else [], quote, SIDES[side])
        kind = _named(given.get("kind"), {one.name: one.label for one in self.kinds if side in one.sides})
        severity = _named(given.get("severity"), {one.name: one.label for one in self.taxonomy.severities})
        reason = " ".join(storable(given.get("reason"), multiline=True).split())[:LONGEST_REASON]
        mark = {"side": side, "start": start, "end": end, "kind": kind, "severity": severity, "reason": reason}
        try:
            return checked_mark(mark, dict(item.content), self.settings, 1)
        except UserError:
            said = ", ".join(_shown(given[key]) for key in ("kind", "severity") if given.get(key))
            raise NoMark(
                f"“{_shown(quote)}” is marked as “{said}”, which the campaign does not have on {SIDES[side]}; it is no "
                "mark."
            ) from None

    def _tell(self, item: ItemAtHand, sentence: str) -> None:
        self._told += 1
        if self._told <= MOST_TOLD:
            self.say(f"Item {item.number}: {sentence}")
        if self._told == MOST_TOLD:
            self.say("Further marks without a place are counted, and not named.")


def _object(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(parts), "required": list(parts), "additionalProperties": False}


def _place(places: Sequence[tuple[int, int]], quote: str, where: str) -> tuple[int, int]:
    if not places:
        raise NoMark(f"“{_shown(quote)}” does not stand in {where}, so it is no mark.")
    if len(places) > 1:
        raise NoMark(f"“{_shown(quote)}” stands {len(places)} times in {where}, so it is no mark.")
    return places[0]


def _named(given: object, known: Mapping[str, str]) -> str:
    """The name that is meant: in any capitals, or by its label where only one has it; else what was given."""
    wanted = str(given if given is not None else "").strip().casefold()
    if not known:
        return ""
    by_name = [name for name in known if name.casefold() == wanted]
    by_label = [name for name, label in known.items() if label.casefold() == wanted]
    return by_name[0] if by_name else by_label[0] if len(by_label) == 1 else wanted


def _key(mark: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(mark[name] for name in ("side", "start", "end", "kind"))


def _usual(same: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Equal marks as one, with the severity that most have."""
    (severity, _), *_ = Counter(mark["severity"] for mark in same).most_common(1)
    return dict(next(mark for mark in same if mark["severity"] == severity))


def _shown(words: object) -> str:
    line = " ".join(storable(str(words)).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
