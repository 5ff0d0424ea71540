"""What the forms of gold data hold: a row with what somebody made and where it comes from.

`product` is the JSON object that a kind of work makes; its `kind` says which of these it is, and the forms take from
it what they need:

- rewrite: `source`, `text`, and `original` where the source itself was rewritten from it
- pair: `title`, `element`, `source` and `target` (lists of sentences), `source_ids`, `target_ids`
- two_step: `source`, `rephrased` (segments `text`, `full`), `simplified`, both once more `_addressed`, `unchanged`,
  `final`
- adaptation: `title`, `code`, `question`, `sentences` (`number`, `text`, `operation`, `targets`, `reason`)
- sentence: `text`, a sentence of a document that nobody worked on
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import chain
from typing import Any

import orjson

from corpora.text_files.json_lines import is_text
from foundation.errors import UserError

SPLITS = ("train", "tune", "test")


@dataclass(frozen=True)
class GoldRow:
    """One row of gold. Rows with one `source_id` are of one source.

    `annotators` are pseudonyms, the one who made it last. `extra` is what belongs to the product without being it:
    linked `concepts`, and how a file that was read had it where that is more than the product says.
    """

    kind: str
    source_id: str
    source_style: str
    target_style: str
    product: Mapping[str, Any]
    split: str = "test"
    domain: str = ""
    annotators: tuple[str, ...] = ()
    written_at: datetime | None = None
    guideline_version: str = ""
    revision: int = 1
    campaign: str = ""
    study: str = ""
    license: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


PROVENANCE = tuple(one.name for one in fields(GoldRow) if one.name not in {"product", "extra"})
REQUIRED = ("kind", "source_id", "source_style", "target_style")


def of_kinds(rows: Iterable[GoldRow], kinds: frozenset[str], form: str) -> Iterator[GoldRow]:
    """The rows as they come; a UserError at one of another kind."""
    for row in rows:
        if row.kind not in kinds:
            raise UserError("{form} holds no gold of the kind '{kind}'.", form=form, kind=row.kind, where=row.source_id)
        yield row


def texts_of(product: Mapping[str, Any]) -> tuple[str, str]:
    """A source and what became of it, each as one text for people to read; empty where the kind has none."""
    kind = product.get("kind")
    if kind == "two_step":
        return str(product["source"]), str(product["simplified"])
    if kind == "pair":
        return " ".join(product["source"]), " ".join(product["target"])
    if kind == "adaptation":
        sentences = product["sentences"]
        targets = chain.from_iterable(sentence["targets"] for sentence in sentences)
        return " ".join(sentence["text"] for sentence in sentences), " ".join(targets)
    return str(product.get("source", "")), str(product.get("text", ""))


def row_of(provenance: Mapping[str, Any], product: Mapping[str, Any], extra: Mapping[str, Any], where: str) -> GoldRow:
    """A row from what a file said, checked; faults are UserErrors."""
    for name in REQUIRED:
        if not isinstance(provenance.get(name), str):
            raise UserError("a text was expected for '{name}'.", name=name, where=where)
    values = {name: value_of(name, value, where) for name, value in provenance.items()}
    if values.get("split", "test") not in SPLITS:
        raise UserError("a split is train, tune or test, and not '{split}'.", split=values["split"], where=where)
    return GoldRow(product=product, extra=extra, **values)


def value_of(name: str, value: object, where: str) -> Any:
    """A value of provenance as a row holds it; a UserError where it is of another kind."""
    if name == "revision":
        if not isinstance(value, int) or isinstance(value, bool):
            raise UserError("a whole number was expected for 'revision'.", where=where)
        return value
    if name == "written_at":
        return _time(value, where)
    if name == "annotators":
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise UserError("a list of names was expected for 'annotators'.", where=where)
        return tuple(value)
    if value is None or not is_text(value):
        raise UserError("a text was expected for '{name}'.", name=name, where=where)
    return value


def _time(value: object, where: str) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise UserError(
            "a time such as 2026-01-31T12:00:00+00:00 was expected, not '{value}'.", value=value, where=where
        ) from None


def one_line(text: str) -> str:
    """The text with every line break a space."""
    return re.sub(r"\r\n|\r|\n", " ", text)


def json_of(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode()


def object_of(text: str, where: str) -> dict[str, Any]:
    """A JSON object from a cell."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise UserError("a JSON object was expected in 'product' and 'extra'.", where=where)
    return value
