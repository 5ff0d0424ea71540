"""The form of the PLABA data set (Attal et al. 2023): nested JSON keyed by question.

    {"1": {"question": "...", "question_type": "C",
           "27855600": {"abstract": {"1": "...", "2": "..."},
                        "adaptations": {"adaptation1": {"1": "...", "2": ""}, "adaptation2": {...}}}}}

The letter is C for a clinical question, B for a biological one. Abstracts are keyed by PMID, their sentences and the
adaptation of each by the sentence's number: several target sentences are one text, a dropped sentence is an empty one.
Other entries of a file (a title) stay where they were, and so does the file's indentation.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from corpora.formats._base import GoldFormat
from corpora.gold_records import GoldRow, of_kinds
from corpora.text_files.decoding import MEGABYTE, TextFile, opened
from corpora.text_files.json_lines import object_from
from foundation.errors import UserError
from foundation.papers import PLABA

LIMIT = 200 * MEGABYTE
"""The most bytes a file may have: nested JSON is read whole."""
LAYOUT: dict[str, Any] = {"indent": 4, "ascii": False, "end": "\n"}


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """A chunk a question. Rows of one question stand together, and among them those of one abstract."""
    layout, count = LAYOUT, 0
    seen = set[str]()
    for code, group in groupby(of_kinds(rows, FORMAT.kinds, "PLABA's form"), key=_question):
        adapted = list(group)
        layout = adapted[0].extra.get("layout", LAYOUT)
        if code in seen:
            raise UserError("the adaptations of question '{code}' do not stand together.", code=code, where="PLABA")
        seen.add(code)
        yield (_opening(layout, count) + _inner(_entry(code, adapted), layout)).encode()
        count += 1
    yield _closing(layout, count).encode()


def _opening(layout: Mapping[str, Any], count: int) -> str:
    broken = layout["indent"] is not None
    return ("{\n" if broken else "{") if count == 0 else (",\n" if broken else ", ")


def _closing(layout: Mapping[str, Any], count: int) -> str:
    if count == 0:
        return "{}" + str(layout["end"])
    return ("\n}" if layout["indent"] is not None else "}") + str(layout["end"])


def _inner(entry: dict[str, Any], layout: Mapping[str, Any]) -> str:
    """One key and its value as they stand within the whole."""
    text = json.dumps(entry, indent=layout["indent"], ensure_ascii=layout["ascii"])
    return text[1:-1].strip("\n")


def _question(row: GoldRow) -> str:
    question = row.product.get("question") or {}
    return str(question.get("code", ""))


def _entry(code: str, rows: list[GoldRow]) -> dict[str, Any]:
    question = rows[0].product.get("question") or {}
    entry: dict[str, Any] = {"question": question.get("text", ""), "question_type": question.get("type", "")}
    entry.update(rows[0].extra.get("question", {}))
    for document, group in groupby(rows, key=lambda row: str(row.product["code"])):
        if document in entry:
            raise UserError(
                "the adaptations of abstract '{document}' do not stand together.",
                document=document,
                where=f"question {code}",
            )
        entry[document] = _abstract(list(group))
    return {code: entry}


def _abstract(rows: list[GoldRow]) -> dict[str, Any]:
    sentences = rows[0].product["sentences"]
    entry = dict(rows[0].extra.get("before", {}))
    entry["abstract"] = {str(sentence["number"]): sentence["text"] for sentence in sentences}
    entry["adaptations"] = {_name(row, number): _adaptation(row) for number, row in enumerate(rows, 1) if _made(row)}
    entry.update(rows[0].extra.get("after", {}))
    return entry


def _made(row: GoldRow) -> bool:
    return not row.extra.get("none", False)


def _name(row: GoldRow, number: int) -> str:
    return str(row.extra.get("name", f"adaptation{number}"))


def _adaptation(row: GoldRow) -> dict[str, str]:
    kept = row.extra.get("numbers")
    return {
        str(sentence["number"]): " ".join(sentence["targets"])
        for sentence in row.product["sentences"]
        if kept is None or str(sentence["number"]) in kept
    }


def read(file: TextFile, styles: tuple[str, str] = ("expert", "layman"), split: str = "test") -> Iterator[GoldRow]:
    """A row for each adaptation, in the order of the file."""
    with opened(file) as stream:
        data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise UserError("the file may have at most {limit} MB.", limit=LIMIT // MEGABYTE, where=file.name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("the file is not UTF-8.", where=file.name) from None
    whole = object_from(text, file.name)
    layout = _layout(text, whole)
    for code, entry in whole.items():
        yield from _rows(code, _object(entry, f"{file.name}, question {code}"), layout, styles, split, file.name)


def _layout(text: str, whole: dict[str, Any]) -> dict[str, Any]:
    """How the file is indented and escaped, as far as `json.dumps` can do the same."""
    body = text.rstrip()
    lines = body.split("\n", 2)
    indent = len(lines[1]) - len(lines[1].lstrip(" ")) if len(lines) > 1 else None
    escapes = body.isascii() and not json.dumps(whole, ensure_ascii=False).isascii()
    return {"indent": indent, "ascii": escapes, "end": text[len(body) :]}


def _rows(
    code: str, entry: dict[str, Any], layout: dict[str, Any], styles: tuple[str, str], split: str, name: str
) -> Iterator[GoldRow]:
    documents = {key: value for key, value in entry.items() if isinstance(value, dict) and "abstract" in value}
    others = {key: value for key, value in entry.items() if key not in documents}
    question = {"code": code, "text": str(entry.get("question", "")), "type": str(entry.get("question_type", ""))}
    shared: dict[str, Any] = {"layout": layout}
    if others != {"question": question["text"], "question_type": question["type"]}:
        shared["question"] = others
    for document, value in documents.items():
        where = f"{name}, question {code}, {document}"
        for product, extra in _products(document, question, value, where):
            extra = {**shared, **extra}
            yield GoldRow("adaptation", f"{code}-{document}", *styles, product, split, extra=extra)


def _products(
    code: str, question: dict[str, str], entry: dict[str, Any], where: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    abstract = _object(entry["abstract"], where)
    adaptations = _object(entry.get("adaptations", {}), where)
    product = {"kind": "adaptation", "title": str(entry.get("Title", entry.get("title", ""))), "code": code,
               "question": question}  # fmt: skip
    shared = _around(entry)
    if not adaptations:
        yield (
            {**product, "sentences": [_sentence(n, text, "") for n, text in abstract.items()]},
            shared | {"none": True},
        )
    for number, (name, texts) in enumerate(adaptations.items(), 1):
        found = _object(texts, where)
        extra = shared | ({} if name == f"adaptation{number}" else {"name": name})
        if list(found) != list(abstract):
            _refuse_strange(found, abstract, f"{where}, {name}")
            extra["numbers"] = list(found)
        sentences = [_sentence(key, text, found.get(key, "")) for key, text in abstract.items()]
        yield {**product, "sentences": sentences}, extra


def _around(entry: dict[str, Any]) -> dict[str, Any]:
    """The entries before the abstract and after the adaptations."""
    keys = list(entry)
    place = keys.index("abstract")
    before = {key: entry[key] for key in keys[:place] if key != "adaptations"}
    after = {key: entry[key] for key in keys[place + 1 :] if key != "adaptations"}
    return {**({"before": before} if before else {}), **({"after": after} if after else {})}


def _refuse_strange(found: dict[str, Any], abstract: dict[str, Any], where: str) -> None:
    strange = [key for key in found if key not in abstract]
    if strange:
        raise UserError("the abstract has no sentence {strange}.", strange=", ".join(strange), where=where)


def _sentence(number: str, text: object, target: object) -> dict[str, Any]:
    if not isinstance(text, str) or not isinstance(target, str):
        raise UserError("a text was expected for each sentence and for its adaptation.", where=f"sentence {number}")
    operation = "dropped" if not target else "kept" if target == text else "rewritten"
    own: int | str = int(number) if number.isdecimal() and str(int(number)) == number else number
    targets = [target] if target else []
    return {"number": own, "text": text, "operation": operation, "targets": targets, "reason": ""}


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError("a JSON object was expected.", where=where)
    return value


FORMAT = GoldFormat(
    "PLABA data set",
    "Nested JSON by question, abstract and sentence, with every adaptation of an abstract.",
    (".json",),
    paper=PLABA,
    write=write,
    read=read,
    suffix=".json",
    media_type="application/json",
    kinds=frozenset({"adaptation"}),
)
