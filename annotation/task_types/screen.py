"""Choose questions, code their focus, kind and type, and choose the abstracts that answer them (PLABA, Fig. 1).

The answer is {"chosen", "focus", "kind", "type", "documents": {id: in or out}}; where the question is not chosen the
rest is empty. `target` is how many abstracts the study wants of a question: it is shown, and never enforced.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import LONGEST_DRAFT, drafted_state, one_line, read_state, refuse_others, write_state
from annotation.task_data import DocumentMaterial, Product, QuestionMaterial
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from foundation.errors import UserError
from foundation.papers import PLABA

KINDS = ("general information", "cause", "symptoms", "diagnosis", "treatment", "prognosis", "prevention")
TYPES = {"C": "clinical", "B": "biological"}
TARGET = 10
LONGEST = {"focus": 200, "kind": 100}  # as the columns of a question
NOT_CHOSEN: Answer = {"chosen": False, "focus": "", "kind": "", "type": "", "documents": {}}
# Letters that the page has other uses for; a type of that letter is chosen with the mouse or by Tab.
TAKEN_KEYS = frozenset("spgynfwjkioe")


class Screen(TaskType):
    label = "Screen"
    verb = "Choose the question and its abstracts"
    answer_content = (
        '{"chosen": true, "focus": "...", "kind": "...", "type": "C", "documents": {"9": true}}: `kind` and '
        "`type` are of the campaign's lists, `documents` says true (in) or false (out) for each document of the "
        'item by its id; for a question that is left out {"chosen": false}'
    )
    template = "annotation/work/screen.html"
    paper = PLABA
    works_on = "questions"
    makes = "screening"
    defaults = {"kinds": list(KINDS), "types": dict(TYPES), "target": TARGET}
    bounds = {"target": (0, 10_000)}

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        if key == "types":
            return _types(settings.get(key, default))
        checked = super().check_setting(settings, key, default)
        if key == "kinds" and any(len(kind) > LONGEST["kind"] for kind in checked):
            raise UserError("A kind of question has at most {kind} characters.", kind=LONGEST["kind"], where="kinds")
        return checked

    def build(self, material: Iterable[QuestionMaterial], settings: Settings, seed: int) -> Iterator[ItemContent]:
        for question in material:
            documents = [_document(document) for document in question.documents]
            content = {"code": question.code, "text": question.text, "topic": question.topic, "documents": documents}
            yield ItemContent(question.question_id, content, topic=question.topic)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["screen.js"]

    def names_target(self, settings: Settings) -> bool:
        """False: it is about questions and abstracts, before anything is written."""
        return False

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        filled = answer or {}
        state = {
            "chosen": filled.get("chosen"),
            **{key: filled.get(key, "") for key in ("focus", "kind", "type")},
            "documents": filled.get("documents", {}),
        }
        return {
            **{key: content[key] for key in ("code", "text", "topic", "documents")},
            "kinds": settings["kinds"],
            "types": [
                {"letter": letter, "label": label, "key": "" if letter.lower() in TAKEN_KEYS else letter.lower()}
                for letter, label in settings["types"].items()
            ],
            "target": settings["target"],
            "longest": LONGEST,
            "state": write_state(state),
        }

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check(read_state(form), content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        chosen = answer.get("chosen")
        if not isinstance(chosen, bool):
            raise UserError("First decide whether the question is chosen.", where="chosen")
        if not chosen:
            return {**NOT_CHOSEN, "documents": {}}
        return {
            "chosen": True,
            "focus": _words(answer.get("focus"), "focus"),
            "kind": _kind(answer.get("kind"), settings["kinds"]),
            "type": _type(answer.get("type"), settings["types"]),
            "documents": _documents(answer.get("documents"), content["documents"]),
        }

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        state = drafted_state(form)
        draft: Answer = {"chosen": state["chosen"]} if isinstance(state.get("chosen"), bool) else {}
        for key in ("focus", "kind", "type"):
            text = state.get(key)
            if isinstance(text, str) and text.replace("\t", " ").isprintable():
                draft[key] = text[:LONGEST_DRAFT]
        documents = state.get("documents")
        document_keys = {str(document["id"]) for document in content["documents"]}
        given = documents.items() if isinstance(documents, dict) else ()
        draft["documents"] = {key: value for key, value in given if key in document_keys and isinstance(value, bool)}
        return draft

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        said = {key: answer[key] for key in ("chosen", "focus", "type", "documents")}
        yield {"kind": "screening", "question_kind": answer["kind"], **said}

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        """The question's standing; where it is chosen, its kind, its type, and each abstract's standing."""
        decisions = {"question": "in" if answer["chosen"] else "out"}
        if not answer["chosen"]:
            return decisions
        documents = {f"abstract {key}": "in" if chosen else "out" for key, chosen in answer["documents"].items()}
        return {**decisions, "kind": answer["kind"], "type": answer["type"], **documents}

    def asked(self, settings: Settings) -> list[str]:
        return ["question", "focus", "kind", "type", "abstract"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """The question's standing; where it is chosen, its codes, and each abstract's standing by its code."""
        yield Said("question", "in" if answer["chosen"] else "out")
        if answer["chosen"]:
            for key in ("focus", "kind", "type"):
                yield Said(key, answer[key])
            for document in content["documents"]:
                yield Said(
                    "abstract",
                    "in" if answer["documents"][str(document["id"])] else "out",
                    document["title"],
                    document["code"],
                )

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """The share of equal decisions: the question itself, and where it is chosen its kind, type and abstracts."""
        if not answer["chosen"] or not expected["chosen"]:
            return float(answer["chosen"] == expected["chosen"])
        same = [True, *(answer[key] == expected[key] for key in ("kind", "type"))]
        same += [answer["documents"].get(key) == value for key, value in expected["documents"].items()]
        return float(sum(same) / len(same))


def _document(document: DocumentMaterial) -> dict[str, Any]:
    sentences = [{"number": text.number, "text": text.text} for text in document.sentences]
    return {"id": document.document_id, "code": document.code, "title": document.title, "sentences": sentences}


def _types(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping) or not given:
        raise UserError('Expected letters with what they stand for, such as { C = "clinical" }.', where="types")
    for letter, label in given.items():
        if not isinstance(letter, str) or len(letter) != 1 or not letter.isalnum():
            raise UserError("A type is one letter.", where="types")
        if not isinstance(label, str) or not label.strip() or len(label) > 100:
            raise UserError("A type's letter stands for 1 to 100 characters.", where="types")
    return {letter: label.strip() for letter, label in given.items()}


def _words(given: object, key: str) -> str:
    try:
        text = one_line(given)
    except UserError:
        raise UserError("Write the question's {key}, in one line.", key=key, where=key) from None
    if len(text) > LONGEST[key]:
        raise UserError(
            "The question's {key} has at most {longest} characters.", key=key, longest=LONGEST[key], where=key
        )
    return text


def _kind(given: object, kinds: Sequence[str]) -> str:
    if not kinds:
        return _words(given, "kind")
    refuse_others(given, kinds, "kind")
    if not given:
        raise UserError("Choose the kind of the question.", where="kind")
    return str(given)


def _type(given: object, types: Mapping[str, str]) -> str:
    refuse_others(given, list(types), "type")
    if not given:
        raise UserError("Choose the type of the question.", where="type")
    return str(given)


def _documents(given: object, documents: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """In or out for each document; a UserError at the first that has neither."""
    said = given if isinstance(given, Mapping) else {}
    keys = [str(document["id"]) for document in documents]
    for place, key in enumerate(keys, 1):
        if not isinstance(said.get(key), bool):
            refuse_others(said.get(key), ("true", "false"), f"document-{key}")
            raise UserError(
                "Abstract {place} is not decided yet: choose in or out.", place=place, where=f"document-{key}"
            )
    if len(said) > len(keys):
        raise UserError("An abstract does not belong to this question.", where="documents")
    return {key: said[key] for key in keys}


TASK_TYPE = Screen()
