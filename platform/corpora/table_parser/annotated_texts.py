r"""WebAnno TSV 3.x, as INCEpTION exports a document with the annotations of one person: a sentence a row.

The form is that of INCEpTION's user guide ("WebAnno TSV 3.3 File format"). Each feature of a layer of spans that a
project made (`webanno.custom.X`, `custom.X`) is a column `X|feature`. Its cell has what was marked in the sentence:
`5` was said of the whole sentence, `Major [4-9]` of its characters 4 to 9 (from 0, in UTF-16's units as in the file).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpora.table_parser.delimited import Texts
from corpora.table_parser.notes import Note, Question
from foundation.translation import translatable

MARK = "#FORMAT=WebAnno TSV 3"
LAYER = re.compile(r"^#T_(?P<kind>SP|CH|RL)=(?P<layer>[^|\r\n]+)(?P<features>[^\r\n]*)")
OWN = re.compile(r"^(?:webanno\.)?custom\.(?P<name>.+)$")
TOKEN = re.compile(r"^\d+-\d+(?P<part>\.\d+)?\t(?P<start>\d+)-(?P<end>\d+)\t")
STACKED = re.compile(r"(?<!\\)\|")
VALUE = re.compile(r"^(?P<value>.*?)(?:(?<!\\)\[(?P<id>\d+)\])?$", re.DOTALL)
COLUMN = re.compile(r"^(?P<layer>[\w.$-]+)\|(?P<feature>[\w.:$-]*)$")
TEXT = "#Text="
ESCAPED = re.compile(r"\\(->|.)")
MEANT = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
IN_TEXTS = re.compile(r"\\([tnrbf\\])")
NOTHING, UNSAID = "_", "*"


def is_annotated(texts: Texts) -> bool:
    return texts.head.startswith(MARK)


def is_feature(column: str) -> bool:
    """Whether a column has what was marked in the sentences."""
    return bool(COLUMN.match(column))


class Feature(NamedTuple):
    """A column of the file that is read: its name here, and its place behind token, offsets and word."""

    name: str
    place: int


class AnnotatedTexts:
    """A reader of their sentences; a sentence of several lines has a `#Text=` for each."""

    kind = "lines"
    delimiter = ""
    questions: tuple[Question, ...] = ()

    def __init__(self, texts: Texts) -> None:
        self.texts, self.encoding, self.guessed = texts, texts.encoding, texts.guessed
        self.features, others = _declared(texts.head)
        self.names: tuple[str, ...] | None = ("sentence", *(feature.name for feature in self.features))
        said = translatable("The sentences are imported, but not the annotations in them: {layers}.")
        self.notes = [Note(said, values={"layers": ", ".join(others)})] if others else []

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        first, parts, tokens = 0, list[str](), list[str]()
        for number, line in enumerate(self.texts.lines(), 1):
            if line.startswith(TEXT):
                if tokens:
                    yield first, self._row(parts, tokens)
                    first, parts, tokens = 0, [], []
                first = first or number
                text = line.removeprefix(TEXT).rstrip("\r\n")
                parts.append(IN_TEXTS.sub(lambda match: MEANT.get(match[1], match[1]), text))
            elif parts and TOKEN.match(line):
                tokens.append(line.rstrip("\r\n"))
            elif parts:
                yield first, self._row(parts, tokens)
                first, parts, tokens = 0, [], []
        if parts:
            yield first, self._row(parts, tokens)

    def _row(self, parts: Sequence[str], tokens: Sequence[str]) -> tuple[str, ...]:
        return ("\n".join(parts), *(_marked(tokens, feature.place) for feature in self.features))


def _declared(head: str) -> tuple[list[Feature], list[str]]:
    """The features that are read, and the layers that are not: those of INCEpTION itself, chains, and relations."""
    features, others, place = list[Feature](), list[str](), 0
    for match in filter(None, map(LAYER.match, head.splitlines())):
        own = OWN.match(match["layer"]) if match["kind"] == "SP" else None
        names = match["features"].split("|")[1:] or [""]
        if own is None:
            others.append(match["layer"])
        linked = False
        for name in names:
            if own and not linked and not name.startswith("ROLE_"):
                features.append(Feature(f"{own['name']}|{name}", place))
            linked = name.startswith("ROLE_")  # the next one is the type of what it links to
            place += 1
    return features, others


def _marked(tokens: Sequence[str], place: int) -> str:
    """The marks of a sentence, in the order of its words: "Major [4-9]; 5"."""
    marks: dict[str, list[tuple[int, int]]] = {}
    values: dict[str, str] = {}
    whole = [match for match in map(TOKEN.match, tokens) if match and not match["part"]]
    if not whole:
        return ""
    begin, end = int(whole[0]["start"]), int(whole[-1]["end"])
    for number, token in enumerate(tokens):
        match, cells = TOKEN.match(token), token.split("\t")[3:]
        if match is None or place >= len(cells) or cells[place] in (NOTHING, ""):
            continue
        for stacked in STACKED.split(cells[place]):
            found = VALUE.match(stacked)
            assert found is not None, "it matches whatever there is"
            key = found["id"] or f"{number}/{stacked}"
            marks.setdefault(key, []).append((int(match["start"]), int(match["end"])))
            values[key] = "" if found["value"] == UNSAID else _plain(found["value"])
    return "; ".join(_said(values[key], places, begin, end) for key, places in marks.items())


def _said(value: str, places: Sequence[tuple[int, int]], begin: int, end: int) -> str:
    start, stop = min(one for one, _ in places), max(one for _, one in places)
    return value if value and (start, stop) == (begin, end) else f"{value} [{start - begin}-{stop - begin}]".strip()


def _plain(value: str) -> str:
    return ESCAPED.sub(lambda match: MEANT.get(match[1], match[1]), value)
