"""An answer whole, as one JSON object with its item and its outputs."""

from typing import Any

import orjson

from annotation.answer_export.answer_content import AnswerReader, source_of
from annotation.answer_export.answer_rows import AnswerRow

dumps = orjson.dumps


def line(teller: AnswerReader, one: AnswerRow) -> bytes:
    """What is known of the answer; `item` with its texts; then what was said.

    Where texts were judged side by side they are the `outputs`, in the order shown, each with its values. Otherwise
    `answer` is the answer as it was given, and `said` the same piece by piece.
    """
    return b"".join((*_item(one), *(_outputs(teller, one) if one.order else _made(teller, one)), b"}\n"))


def _item(one: AnswerRow) -> tuple[bytes, ...]:
    facts, about, source = one.facts[:-1].encode(), one.about[:-1].encode(), dumps(source_of(one.content))
    key, held = (b"references", dumps(one.content["references"])) if one.order else (b"content", one.kept.encode())
    return facts, b',"item":', about, b',"source":', source, b',"', key, b'":', held, b"}"


def _outputs(teller: AnswerReader, one: AnswerRow) -> tuple[bytes, ...]:
    made = [
        {"place": place, "text": text, "role": role, "systems": systems, "values": values}
        for place, (text, (role, systems), values) in enumerate(teller.shown(one), 1)
    ]
    if one.outcome != "answered":
        return b',"outputs":', dumps(made), b',"answer":', one.answer.encode()
    if one.before is not None:
        return b',"outputs":', dumps(made), b',"before_fix":', dumps(teller.by_place(one.before, one.order))
    return b',"outputs":', dumps(made)


def _made(teller: AnswerReader, one: AnswerRow) -> tuple[bytes, ...]:
    said = [
        {"criterion": said.criterion, "value": said.value, "text": said.text, "source": said.source, **_by(writer)}
        for said, _place, writer in teller.pieces(one)
    ]
    told = b',"said":', dumps(said), b',"answer":', one.answer.encode()
    return told if one.before is None else (*told, b',"before_fix":', one.before.encode())


def _by(writer: Any) -> dict[str, Any]:
    return {"role": writer.role, "systems": writer.systems} if writer.role else {}
