"""An answer whole, as one JSON object with its item and its outputs."""

from typing import Any

import orjson

from annotation.answer_export.answer_content import AnswerReader, source_of
from annotation.answer_export.answer_rows import AnswerRow

dumps = orjson.dumps


def line(reader: AnswerReader, revision: AnswerRow) -> bytes:
    """What is known of the answer; `item` with its texts; then what was said.

    Where texts were judged side by side they are the `outputs`, in the order shown, each with its values. Otherwise
    `answer` is the answer as it was given, and `said` the same part by part.
    """
    return b"".join(
        (*_item(revision), *(_outputs(reader, revision) if revision.order else _statements(reader, revision)), b"}\n")
    )


def _item(revision: AnswerRow) -> tuple[bytes, ...]:
    facts, about, source = (
        revision.facts[:-1].encode(),
        revision.about[:-1].encode(),
        dumps(source_of(revision.content)),
    )
    key, payload = (
        (b"references", dumps(revision.content["references"]))
        if revision.order
        else (b"content", revision.kept.encode())
    )
    return facts, b',"item":', about, b',"source":', source, b',"', key, b'":', payload, b"}"


def _outputs(reader: AnswerReader, revision: AnswerRow) -> tuple[bytes, ...]:
    outputs = [
        {"place": place, "text": text, "role": role, "systems": systems, "values": values}
        for place, (text, (role, systems), values) in enumerate(reader.shown(revision), 1)
    ]
    if revision.outcome != "answered":
        return b',"outputs":', dumps(outputs), b',"answer":', revision.answer.encode()
    unfolded = orjson.loads(revision.answer).get("unfolded")
    if unfolded is not None:
        for output, number in zip(outputs, revision.order, strict=True):
            output["unfolded"] = number + 1 in unfolded
    if revision.before is not None:
        return (
            b',"outputs":',
            dumps(outputs),
            b',"before_fix":',
            dumps(reader.by_place(revision.before, revision.order)),
        )
    return b',"outputs":', dumps(outputs)


def _statements(reader: AnswerReader, revision: AnswerRow) -> tuple[bytes, ...]:
    said = [
        {"criterion": said.criterion, "value": said.value, "text": said.text, "source": said.source, **_origin(origin)}
        for said, _place, origin in reader.parts(revision)
    ]
    line_end = b',"said":', dumps(said), b',"answer":', revision.answer.encode()
    return line_end if revision.before is None else (*line_end, b',"before_fix":', revision.before.encode())


def _origin(origin: Any) -> dict[str, Any]:
    return {"role": origin.role, "systems": origin.systems} if origin.role else {}
