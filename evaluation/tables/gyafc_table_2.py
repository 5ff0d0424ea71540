"""The texts of a corpus by style and domain (Rao and Tetreault 2018, Table 2)."""

from collections import Counter

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import DASH, Cell
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Texts by style and domain"
NOTE = (
    "Sources are counted, by domain; a reference, or a document's sentence that is no source, has none of its own, and "
    "counts among all texts. Texts count by the style that they are declared in; a source that was selected by its "
    "score of formality, by that, as in the paper (below 0 informal, above 0 formal)."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """All texts of each style, then all sources, and those of each domain."""
    every, by_domain = _texts(snapshot), _sources(snapshot)
    if not sum(every.values()):
        return missing_content(TITLE, "The study has no texts yet: add some on the page Texts.")
    domains = list(dict.fromkeys(domain for _, domain in by_domain if domain))
    rows = [_row("All texts", [every[style] for style in snapshot.styles])]
    if domains:
        whole = [sum(n for (of, _), n in by_domain.items() if of == style) for style in snapshot.styles]
        rows.append(_row("All sources", whole))
    rows += [_row(domain, [by_domain[style, domain] for style in snapshot.styles]) for domain in domains]
    head = ["Domain", "Total", *(style.capitalize() for style in snapshot.styles)]
    return Table(TITLE, head, rows, [NOTE] if domains else ["No source has a domain."], [None] * len(head))


def _texts(snapshot: StudySnapshot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (style, _), texts in snapshot.counts.texts.items():
        counts[style] += len(texts)
    return counts


def _sources(snapshot: StudySnapshot) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for (style, _, _, domain), n in snapshot.counts.sentences.items():
        counts[style, domain] += n
    return counts


def _row(name: str, counts: list[int]) -> list[Cell]:
    return [Cell(name), *(counted(n) for n in [sum(counts), *counts])]


def counted(n: int, small: str = "") -> Cell:
    """A count with commas between thousands; a dash for none."""
    return Cell(f"{n:,}" if n else DASH, float(n), small=small, why="" if n else "There are none.")


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 2", order=102, of_corpus=True)
