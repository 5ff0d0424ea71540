"""Mark the terms of a sentence that readers do not know, and write what replaces each (Ondov et al. 2025, Task 2).

The answer is {"marks": [{"side", "start", "end", "kind", "severity", "reason"}], "none": whether no term needs to be
replaced, "text"}: `reason` is the replacement and `text` the sentence with all of them. A substitute or a more general
term stands in the term's place, an explanation or an example in brackets behind it; a term is omitted without one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from annotation.task_data import Material, Product
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from annotation.task_types.spans import MARKS, Spans
from foundation.errors import UserError
from foundation.papers import ONDOV

TERM = "term"
OMIT = "Omit"
BESIDE = frozenset(("Explain", "Exemplify"))
"""What stands behind the term, which stays."""

MARKING = Spans()
FIXED = MARKING.check_settings({"taxonomy": "plaba", "ask_reasons": True, "score": False})


class Terms(TaskType):
    label = "Replace terms"
    verb = "Mark terms that readers do not know, and replace them"
    answer_content = (
        '{"marks": [{"side": "source", "start": 4, "end": 6, "kind": "Substitute", "severity": "", "reason": '
        '"patient"}], "none": false, "text": "..."}: `kind` is Substitute, Explain, Generalize, Exemplify or '
        "Omit, `reason` the replacement, `text` the sentence with all of them"
    )
    writes_target = True
    template = "annotation/work/terms.html"
    paper = ONDOV
    makes = "rewrite"
    defaults = {}

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        for source in material:
            yield ItemContent(source.sentence_id, {"source": source.source})

    def scripts(self, settings: Settings) -> Sequence[str]:
        return MARKING.scripts(FIXED)

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        shown = MARKING.present(_alone(content), FIXED, order, answer)
        return {**shown, "sides": shown["sides"][:1], "writes": True}

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return _complete(MARKING.parse(form, _alone(content), FIXED), content)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        given = {key: value for key, value in answer.items() if key != "text"}
        return _complete(MARKING.check(given, _alone(content), FIXED), content)

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        draft = MARKING.partial(form, _alone(content), FIXED)
        return {MARKS: draft[MARKS], "none": draft["none"]}

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        """The sentence with its replacements, and the terms beside it."""
        terms = [{key: mark[key] for key in ("start", "end", "kind", "reason")} for mark in answer[MARKS]]
        yield {"kind": "rewrite", "source": content["source"], "text": answer["text"], "terms": terms}

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        return content["source"], answer.get("text") or replaced(content["source"], answer.get(MARKS, []))

    def asked(self, settings: Settings) -> list[str]:
        return [TERM, "rewrite"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """Each term with what is done with it, then the sentence."""
        for mark in answer[MARKS]:
            yield Said(TERM, mark["kind"], mark["reason"], content["source"][mark["start"] : mark["end"]])
        yield Said("rewrite", "", answer["text"])

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        return MARKING.decisions(answer, _alone(content), FIXED)

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """F1 over the characters of the terms."""
        return MARKING.agrees(answer, expected, _alone(content), FIXED)


def _alone(content: Content) -> Content:
    """The content as that of a sentence beside which no text stands."""
    return {**content, "candidates": [""], "references": []}


def _complete(answer: Answer, content: Content) -> Answer:
    """The marks with their replacements, and the sentence; a UserError where a replacement lacks or terms overlap."""
    marks = answer[MARKS]
    for mark in marks:
        quoted = content["source"][mark["start"] : mark["end"]]
        if mark["kind"] == OMIT and mark["reason"]:
            raise UserError("“{quoted}” is omitted; remove what is written for it.", quoted=quoted, where=MARKS)
        if mark["kind"] != OMIT and not mark["reason"].strip():
            raise UserError("Write what replaces “{quoted}”.", quoted=quoted, where=MARKS)
    for mark, following in pairwise(marks):
        if following["start"] < mark["end"]:
            raise UserError(
                "“{quoted}” overlaps the term before it.",
                quoted=content["source"][following["start"] : following["end"]], where=MARKS,
            )  # fmt: skip
    return {MARKS: marks, "none": answer["none"], "text": replaced(content["source"], marks)}


def replaced(source: str, marks: Iterable[Mapping[str, Any]]) -> str:
    """The sentence with what was written for its terms."""
    text, at = "", 0
    for mark in sorted(marks, key=lambda mark: mark["start"]):
        term, words = source[mark["start"] : mark["end"]], mark["reason"]
        if mark["start"] < at:
            continue
        new = "" if mark["kind"] == OMIT else f"{term} ({words})" if mark["kind"] in BESIDE else words or term
        text, at = text + source[at : mark["start"]] + new, mark["end"]
    return " ".join((text + source[at:]).split())


TASK_TYPE = Terms()
