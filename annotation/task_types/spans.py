"""Mark spans of a text and of its source by a taxonomy, then score the text (Kocmi et al. 2024, Freitag et al. 2021).

An item is one text. The answer is {"marks": [{"side", "start", "end", "kind", "severity", "reason"}], "none": whether
there is nothing to mark, "ratings": [{"score"}]}. Places count characters (code points) of the side's text.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from annotation.answer_checks import FIELD, as_typed, checked_line, drafted_state, read_state
from annotation.presentation_order.candidates import CandidateMaker
from annotation.span_taxonomies import TAXONOMIES, Kind, Taxonomy
from annotation.task_data import Material, Product
from annotation.task_types._base import Answer, Content, ItemContent, Judgement, Said, Settings, flag
from annotation.task_types.rate import COLUMNS, Rate
from annotation.text_marks import overlap_f1, words_of
from foundation.errors import UserError
from foundation.papers import KOCMI

MARKS = "marks"
MARK = "mark"  # one of them, where an answer is told piece by piece
MOST = 1000  # marks of one item
LONGEST_REASON = 500
CRITERIA = {"score": {"scale": "slider_100", "aspect": "overall", "beside": "source"}}
PREFILL = "prefill"
SUGGESTED, SHOWN = "suggested", "shown"
"""The keys of an item's suggested marks, and of whether annotators see them."""
MARK_SCORE = "mqm"
"""The criterion of what the marks cost together, as MQM's scores: 0 for a text without an error, and less for more."""


class Spans(Rate):
    label = "Mark spans"
    verb = "Mark what is wrong in the text"
    answer_content = (
        '{"marks": [{"side": "output", "start": 0, "end": 3, "kind": "", "severity": "Major", "reason": ""}], '
        '"none": false, "ratings": [{"score": 40}]}: `side` is source or output, kinds and severities are those '
        "of the taxonomy, places count characters from 0; `ratings` where the campaign asks for a score or has "
        "criteria"
    )
    template = "annotation/work/spans.html"
    quick = ""
    makes = "marks"
    paper = KOCMI
    # `kinds` replaces those of the taxonomy. `score`: the text is rated on the criteria after it is marked. `prefill`
    # names a campaign or an imported rater whose marks are suggested, but in `empty_share` percent of the items.
    defaults = {
        "taxonomy": "esa", "kinds": [], "ask_reasons": False, "score": True, "criteria": CRITERIA,
        "rate_reference": False, "rate_source": False, PREFILL: "", "empty_share": 20,
    }  # fmt: skip
    choices = {"taxonomy": tuple(TAXONOMIES.names())}
    bounds = {"empty_share": (0, 100)}
    taken: ClassVar[Collection[str]] = (*COLUMNS, MARK_SCORE, MARK)

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        scored = key != "criteria" or flag(settings, "score", True)
        return super().check_setting(settings, key, default) if scored else []

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        maker = CandidateMaker(seed, rate_reference=settings["rate_reference"], rate_source=settings["rate_source"])
        for source in material:
            for part, content in enumerate(maker.contents(source, size=1)):
                yield ItemContent(source.sentence_id, content, part)

    def suggested(
        self, content: Content, settings: Settings, marks: Sequence[Mapping[str, Any]], shown: bool
    ) -> dict[str, Any]:
        """The content with those of the marks that lie within its texts; whether annotators see them is `shown`.

        A kind or severity that the taxonomy does not have is left for the annotator to choose.
        """
        fitting = self.partial({FIELD: json.dumps({MARKS: list(marks)})}, content, settings)[MARKS]
        return {**content, SUGGESTED: _in_order({**mark, "reason": ""} for mark in fitting), SHOWN: shown}

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ("spans.js", "slider.js", "judging.js") if settings["score"] else ("spans.js",)

    def beside(self, content: Content, settings: Settings) -> Iterable[str]:
        return [content["source"]]

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """`sides` are the texts that can be marked; `state` is the page's working state, as JSON.

        `rows` are those of `Rate.present`, [] where no score is asked for.
        """
        taxonomy, kinds = taxonomy_of(settings)
        shown = content.get(SUGGESTED, []) if content.get(SHOWN) else []
        filled = {MARKS: shown} if answer is None else answer
        groups = super().present(content, settings, order, answer)["groups"] if settings["score"] else []
        texts = {"source": content["source"], "output": content["candidates"][0]}
        return {
            "sides": [{"side": side, "text": texts[side], "marked": side in taxonomy.sides} for side in texts],
            "severities": [{"name": one.name, "label": one.label} for one in taxonomy.severities],
            "groups": _grouped(kinds),
            "kinds": json.dumps([{"name": kind.name, "sides": kind.sides} for kind in kinds]),
            "reasons": settings["ask_reasons"],
            "longest": LONGEST_REASON,
            "suggested": len(shown),
            "rows": [row for group in groups for row in group["rows"]],
            "state": json.dumps({MARKS: filled.get(MARKS, []), "none": filled.get("none", False)}, ensure_ascii=False),
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        state = read_state(form)
        marks = self._checked(state, content, settings)
        return {**marks, **super().parse(form, content, settings)}

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        given = {"ratings": [{}], **answer} if not settings["score"] else answer
        return {**self._checked(answer, content, settings), **super().check(given, content, settings)}

    def _checked(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        given, none = answer.get(MARKS, []), answer.get("none", False)
        if not isinstance(given, list) or not isinstance(none, bool):
            raise UserError("Expected a list of marks, and whether there is nothing to mark.", where=MARKS)
        if len(given) > MOST:
            raise UserError("At most {most} marks are allowed.", most=MOST, where=MARKS)
        marks = [checked_mark(mark, content, settings, number) for number, mark in enumerate(given, start=1)]
        places = [tuple(mark[key] for key in ("side", "start", "end", "kind")) for mark in marks]
        if len(set(places)) < len(places):
            raise UserError("The same span is marked twice as the same kind.", where=MARKS)
        if none and marks:
            raise UserError("There are marks; remove them, or do not say that there is nothing to mark.", where=MARKS)
        if not marks and not none and not settings["score"]:
            raise UserError("Mark what is wrong, or say that there is nothing to mark.", where=MARKS)
        return {MARKS: _in_order(marks), "none": none}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        state, marks = drafted_state(form), []
        given = state.get(MARKS)
        for number, mark in enumerate(given[:MOST] if isinstance(given, list) else [], start=1):
            try:
                marks.append(_place(mark, content, number) | _drafted(mark, settings))
            except UserError:
                continue
        return {
            MARKS: marks,
            "none": state.get("none") is True and not marks,
            **super().partial(form, content, settings),
        }

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        return answer  # one text has one place

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        return answer

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        yield from super().judgements(answer, content, settings)
        taxonomy = TAXONOMIES[settings["taxonomy"]]
        if taxonomy.weights:
            yield Judgement(content["candidates"][0], MARK_SCORE, taxonomy.score(answer[MARKS]))

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        """The marks as gold, with the two texts whose characters their places count."""
        texts = {"source": content["source"], "text": content["candidates"][0]}
        yield {"kind": self.makes, **texts, MARKS: [dict(mark) for mark in answer[MARKS]]}

    def wrote(self, answer: Answer, content: Content, settings: Settings) -> Iterator[str]:
        return iter(())

    @classmethod
    def writes(cls) -> bool:
        return False

    def values(self, answer: Answer, content: Content, settings: Settings) -> list[dict[str, Any]]:
        return [{name: value for _, name, value in self.judgements(answer, content, settings)}]

    def asked(self, settings: Settings) -> list[str]:
        scored = [MARK_SCORE] * bool(TAXONOMIES[settings["taxonomy"]].weights)
        return [*super().asked(settings), *scored, MARK]

    def span(self, criterion: str, content: Content, settings: Settings) -> float:
        if criterion == MARK_SCORE:  # five major errors, the most that WMT's raters were to mark in a segment
            return 25.0
        return super().span(criterion, content, settings)

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """The score and the cost of the marks, then each mark with what it is about."""
        for text, criterion, value in self.judgements(answer, content, settings):
            yield Said(criterion, value, text, "", 0)
        for mark in answer[MARKS]:
            marked = _text_of(mark["side"], content)[mark["start"] : mark["end"]]
            what = ", ".join(filter(None, (mark["kind"], mark["severity"], mark["reason"])))
            source = mark["side"] == "source"
            yield Said(MARK, what, "" if source else marked, marked if source else "", None if source else 0)

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        """Whether each word of each text is marked, by its number from 1."""
        found = {}
        for side in TAXONOMIES[settings["taxonomy"]].sides:
            marks = [mark for mark in answer[MARKS] if mark["side"] == side]
            for number, (start, end) in enumerate(words_of(_text_of(side, content)), start=1):
                marked = any(mark["start"] < end and start < mark["end"] for mark in marks)
                found[f"{side} {number}"] = "yes" if marked else "no"
        return found

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """F1 over the marked characters of both texts; 1 where nobody marked any."""
        return overlap_f1(*({side: _spans(one, side) for side in ("source", "output")} for one in (answer, expected)))


def taxonomy_of(settings: Settings) -> tuple[Taxonomy, tuple[Kind, ...]]:
    """The taxonomy, and the kinds that can be chosen: a campaign's own ones stand on both texts."""
    taxonomy = TAXONOMIES[settings["taxonomy"]]
    return taxonomy, tuple(Kind(name, ("source", "output")) for name in settings["kinds"]) or taxonomy.kinds


def _grouped(kinds: Sequence[Kind]) -> list[tuple[str, list[dict[str, str]]]]:
    groups: dict[str, list[dict[str, str]]] = {}
    for kind in kinds:
        groups.setdefault(kind.group, []).append({"name": kind.name, "label": kind.label})
    return list(groups.items())


def _text_of(side: str, content: Content) -> str:
    return str(content["source"] if side == "source" else content["candidates"][0])


def _spans(answer: Answer, side: str) -> list[tuple[int, int]]:
    return [(mark["start"], mark["end"]) for mark in answer[MARKS] if mark["side"] == side]


def _place(given: object, content: Content, number: int) -> dict[str, Any]:
    """The side and the two ends of a mark."""
    if not isinstance(given, dict) or given.get("side") not in ("source", "output"):
        raise UserError("Mark {number}: expected side (source or output), start and end.", number=number, where=MARKS)
    text = _text_of(given["side"], content)
    start, end = given.get("start"), given.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise UserError("Mark {number} does not lie within its text.", number=number, where=MARKS)
    return {"side": given["side"], "start": start, "end": end}


def checked_mark(given: object, content: Content, settings: Settings, number: int) -> dict[str, Any]:
    """A mark in its stored form; a UserError where it lies outside of its text, or lacks a kind or severity."""
    place = _place(given, content, number)
    assert isinstance(given, dict)
    taxonomy, kinds = taxonomy_of(settings)
    quoted = _text_of(place["side"], content)[place["start"] : place["end"]]
    kind, severity, reason = (given.get(key, "") for key in ("kind", "severity", "reason"))
    fitting = [one.name for one in kinds if place["side"] in one.sides] if kinds else [""]
    if kind not in fitting:
        raise UserError("Choose what kind the mark “{quoted}” is.", quoted=quoted, where=MARKS)
    if severity not in ([one.name for one in taxonomy.severities] or [""]):
        raise UserError("Choose how severe the mark “{quoted}” is.", quoted=quoted, where=MARKS)
    if reason and settings["ask_reasons"]:
        reason = checked_line(reason, "A reason", MARKS, LONGEST_REASON)
    return {**place, "kind": kind, "severity": severity, "reason": reason if settings["ask_reasons"] else ""}


def _drafted(given: Mapping[str, Any], settings: Settings) -> dict[str, str]:
    """The kind and the severity of a drafted mark, where the taxonomy has them, and its reason."""
    taxonomy, kinds = taxonomy_of(settings)
    known = {"kind": [kind.name for kind in kinds], "severity": [one.name for one in taxonomy.severities]}
    kept = {key: value if (value := given.get(key)) in names else "" for key, names in known.items()}
    return {**kept, "reason": as_typed(given.get("reason")) if settings["ask_reasons"] else ""}


def _in_order(marks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(marks, key=lambda mark: (mark["side"] == "output", mark["start"], mark["end"], mark["kind"]))


TASK_TYPE = Spans()
