"""Check another person's work: accept it, reject it with a reason, or do it again (MSD 3.1, GYAFC 3.1, MedLane 3.2).

The answer is {"verdict": "accept" | "reject" | "redo", "reason", "note"}, and for a redo "answer", an answer of the
kind of work that is checked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import as_typed, checked_note, refuse_others
from annotation.task_data import PreviousStage, Product, Settled, whole_of
from annotation.task_types import TASK_TYPES
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from foundation.errors import UserError
from foundation.papers import MSD

VERDICTS = ("accept", "reject", "redo")
REASONS = (
    "The meaning is not the same",
    "Something is left out",
    "Something is added",
    "It is not in the other style",
    "It does not read well",
)
VERDICT, REASON, NOTE = "verify-verdict", "verify-reason", "verify-note"
LONGEST_NOTE = 2000


class Verify(TaskType):
    label = "Verify"
    verb = "Check the work of others"
    answer_content = (
        '{"verdict": "accept", "reason": "", "note": ""}: `verdict` is accept, reject (with a `reason` of the '
        'campaign\'s list, if it has one) or redo (with "answer", the content of an answer of the kind of work '
        "that is checked)"
    )
    quick = "choice"
    template = "annotation/work/verify.html"
    paper = MSD
    defaults = {"reasons": list(REASONS), "redo": True}
    works_on = "stage"
    settles = "item"

    def build(self, material: Iterable[Any], settings: Settings, seed: int) -> Iterator[ItemContent]:
        return iter(())

    def judged(self, content: Content) -> Iterable[str]:
        return whole_of(content["product"])

    def wrote(self, answer: Answer, content: Content, settings: Settings) -> Iterator[str]:
        """The texts written in doing the work again; accepted work is as it was."""
        return super().wrote(answer, content, settings) if answer["verdict"] == "redo" else iter(())

    def scripts(self, settings: Settings) -> Sequence[str]:
        """Where work may be done again, also those of the kinds that make products: the stage before names its own."""
        if not settings["redo"]:
            return ["verify.js"]
        others = [TASK_TYPES[name] for name in TASK_TYPES.names() if name != "verify"]
        scripts = [script for kind in others for script in kind.scripts(kind.check_settings({}))]
        return list(dict.fromkeys(["verify.js", *scripts]))

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        """The product beside the work that made it. After a verification it is the work that was verified."""
        if before.task != "verify":
            kind = TASK_TYPES[before.task]
            answer = kind.part_of(before.answer, before.product, before.content, before.settings)
            return _content(before.product, before.task, before.content, before.settings, answer)
        earlier = before.content
        answer = before.answer["answer"] if before.answer.get("verdict") == "redo" else earlier["answer"]
        content = _content(before.product, earlier["task"], earlier["content"], earlier["settings"], answer)
        if before.answer.get("verdict") == "reject":
            content["said"] = {key: before.answer.get(key, "") for key in ("reason", "note")}
        return content

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """The product with its template, and as `editor` the work that made it, filled in, where it may be redone."""
        filled = answer or {}
        kind = TASK_TYPES[content["task"]]
        editor = None
        if settings["redo"]:
            again = filled.get("answer") or content["answer"]
            item = kind.present(content["content"], content["settings"], [], again)
            editor = {"template": kind.template, "verb": kind.verb, "item": item}
        return {
            "product": content["product"],
            "shown": f"annotation/work/products/{content['product']['kind']}.html",
            "said": content.get("said"),
            "reasons": settings["reasons"],
            "verdict": filled.get("verdict", ""),
            "reason": filled.get("reason", ""),
            "note": filled.get("note", ""),
            "editor": editor,
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        answer = _said(form)
        if answer["verdict"] == "redo" and settings["redo"]:
            answer["answer"] = _kind(content).parse(form, content["content"], content["settings"])
        return self.check(answer, content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        verdict = answer.get("verdict", "")
        refuse_others(verdict, VERDICTS, VERDICT)
        if not verdict:
            raise UserError("Accept it, reject it or do it again.", where=VERDICT)
        checked = {"verdict": verdict, "reason": "", "note": checked_note(answer.get("note", ""), NOTE, LONGEST_NOTE)}
        if verdict == "reject":
            checked["reason"] = _reason(answer.get("reason", ""), settings["reasons"])
        if verdict == "redo":
            checked["answer"] = self._again(answer.get("answer"), content, settings)
        return checked

    def _again(self, again: Any, content: Content, settings: Settings) -> Answer:
        if not settings["redo"]:
            raise UserError("This campaign allows only accepting and rejecting.", where=VERDICT)
        if not isinstance(again, dict):
            raise UserError("Expected the redone answer.", where="answer")
        return _kind(content).check(again, content["content"], content["settings"])

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        draft = {key: value for key, value in _said(form).items() if value}
        if settings["redo"]:
            draft["answer"] = _kind(content).partial(form, content["content"], content["settings"])
        return draft

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        """The products that stand after this verdict: the work done again, the product as it was, or nothing."""
        if answer["verdict"] == "redo":
            yield from _kind(content).products(answer["answer"], content["content"], content["settings"])
        elif answer["verdict"] == "accept":
            yield content["product"]

    def settle(self, answers: Sequence[Answer], content: Content, settings: Settings) -> Settled:
        """Rejected where anybody rejects, and then the product as it was; else the version of the last redo."""
        if any(answer["verdict"] == "reject" for answer in answers):
            return Settled("rejected", [content["product"]])
        last = next((answer for answer in reversed(answers) if answer["verdict"] == "redo"), {"verdict": "accept"})
        return Settled("accepted", list(self.products(last, content, settings)))

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        return {"verdict": answer["verdict"]}

    def asked(self, settings: Settings) -> list[str]:
        return ["decision", "reason", "note", *["again"] * settings["redo"]]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """The verdict, the remarks with it, and the work done again."""
        yield Said("decision", answer["verdict"])
        for key in ("reason", "note"):
            if answer[key]:
                yield Said(key, "", answer[key])
        if answer["verdict"] == "redo":
            for said in _kind(content).said(answer["answer"], content["content"], content["settings"]):
                yield said._replace(criterion="again")

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        return float(answer["verdict"] == expected["verdict"])

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        if answer.get("verdict") != "redo" or "answer" not in answer:
            return None
        return _kind(content).texts(answer["answer"], content["content"])

    def proposes(self, answer: Answer, content: Content, settings: Settings) -> dict[str, Any]:
        if answer.get("verdict") != "redo" or "answer" not in answer:
            return {}
        return _kind(content).proposes(answer["answer"], content["content"], content["settings"])


def _kind(content: Content) -> TaskType:
    return TASK_TYPES[content["task"]]


def _content(product: Product, task: str, content: Content, settings: Settings, answer: Answer) -> Content:
    return {"product": product, "task": task, "content": content, "settings": dict(settings), "answer": answer}


def _said(form: Mapping[str, str]) -> Answer:
    verdict = form.get(VERDICT, "")
    return {
        "verdict": verdict if verdict in VERDICTS else "",
        "reason": form.get(REASON, "") if verdict == "reject" else "",
        "note": as_typed(form.get(NOTE, ""), multiline=True),
    }


def _reason(reason: object, reasons: Sequence[str]) -> str:
    if not reasons:
        return ""
    if not reason:
        raise UserError("Choose the reason for the rejection.", where=REASON)
    if reason not in reasons:
        raise UserError("This reason is not in the guideline's list.", where=REASON)
    return str(reason)


TASK_TYPE = Verify()
