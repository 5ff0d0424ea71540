"""How many sentences each part of a corpus has, and how many references (Rao and Tetreault 2018, Table 3)."""

from collections.abc import Sequence

import numpy as np

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell, joined
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_table_2 import counted
from foundation.papers import GYAFC

TITLE = "Sentences by direction, split and domain"
SPLITS = ("train", "tune", "test")
NOTE = "Under each number: how many of the sentences have a reference, and how many references those have."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a domain, a column a direction and split."""
    counts = snapshot.counts.sentences
    if not any(counts.values()):
        return missing_content(TITLE, "The study has no sentences yet: bring some in on the page Bring in a table.")
    own = [tuple(pair) for pair in (snapshot.corpus or snapshot.units).directions]
    directions = list(dict.fromkeys((source, target) for source, target, _, _ in counts))
    directions.sort(key=lambda pair: own.index(pair) if pair in own else len(own))
    splits = [*SPLITS, *dict.fromkeys(split for _, _, split, _ in counts if split not in SPLITS)]
    columns = [
        (source, target, split)
        for source, target in directions
        for split in splits
        if any(key[:3] == (source, target, split) for key in counts)
    ]
    domains = list(dict.fromkeys(domain for *_, domain in counts))
    rows = [
        [Cell(domain or "No domain"), *(_cell(snapshot, *column, domain) for column in columns)] for domain in domains
    ]
    head = ["Domain", *(f"{source} to {target}, {split or 'no split'}" for source, target, split in columns)]
    return Table(TITLE, head, rows, [NOTE], [None] * len(head))


def _cell(snapshot: StudySnapshot, source: str, target: str, split: str, domain: str) -> Cell:
    n = snapshot.counts.sentences.get((source, target, split, domain), 0)
    pairs = snapshot.counts.pairs.get((source, target, split, domain), 0)
    if not n:
        return counted(0)
    how = _times(_references(snapshot, (source, target), split, domain))
    return counted(n, joined(f"{_some(pairs, n)} with a reference", how))


def _some(pairs: int, n: int) -> str:
    return "all" if pairs == n else f"{pairs:,}" if pairs else "none"


def _references(snapshot: StudySnapshot, direction: tuple[str, str], split: str, domain: str) -> list[int]:
    """The numbers of references of these sentences, where there are any."""
    units = snapshot.corpus or snapshot.units
    names = zip(units.direction.tolist(), units.splits, units.domains, units.references, strict=True)
    return [
        len(given)
        for of, part, name, given in names
        if given and (tuple(units.directions[of]), part, name) == (direction, split, domain)
    ]


def _times(counts: Sequence[int]) -> str:
    """'4 references each', '1 to 4 references'."""
    if not counts:
        return ""
    low, high = int(np.min(counts)), int(np.max(counts))
    if low == high:
        return f"{low} reference{'s' if low > 1 else ''} each"
    return f"{low} to {high} references"


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 3", order=103, of_corpus=True)
