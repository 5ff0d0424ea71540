"""Systems by formality, fluency, meaning, their combination and overall metrics (Rao and Tetreault 2018, Table 4)."""

from collections.abc import Sequence

from evaluation.tables._base import Exhibit, Lacking, Table
from evaluation.tables._parts import (
    Column,
    Part,
    blocks,
    combined,
    criterion_of,
    directions,
    human,
    lacking,
    metric,
    metric_for,
    metric_of,
    no_criterion,
    no_metric,
    places_of,
    star_note,
    table_of,
)
from evaluation.tables._record import Judged, Record
from foundation.papers import GYAFC

TITLE = "Systems by people and by metrics"
ASPECTS = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
OVERALL = (("bleu",), ("terp", "ter"), ("pinc",))
COMBINED = (
    "Combined: formality/3 + fluency/2 + 2 x meaning/5 + 1.5, on the scales of the paper (-3 to 3, 1 to 5, 1 to 6; of "
    "the metrics -3 to 3, 0 to 4, 0 to 5)."
)


def make(record: Record) -> Table | Lacking:
    """The source and the reference first, where they were judged; for each direction."""
    criteria = {aspect: criterion_of(record, aspect, scale) for aspect, scale in ASPECTS.items()}
    overall = [metric_of(record, *names) for names in OVERALL]
    missing = _missing(record, criteria, overall)
    if not any(criteria.values()) or not any(overall):
        return lacking(TITLE, *missing)
    places = places_of(record, "source", "reference", "system")
    parts = directions(record)
    tables = [
        (part.label, table_of(record, TITLE, places, _columns(record, part, criteria, overall))) for part in parts
    ]
    made = blocks(TITLE, tables)
    notes = [*star_note(record), *_combined_note(record, len(parts)), *missing]
    return Table(TITLE, made.head, made.rows, notes, made.better)


def _columns(
    record: Record, part: Part, criteria: dict[str, Judged | None], overall: Sequence[str | None]
) -> list[Column]:
    found: list[Column | None] = []
    for aspect, judged in criteria.items():
        name = metric_for(record, aspect)
        found.append(None if judged is None else human(record, judged, part, f"{judged.label}, people"))
        found.append(None if name is None else metric(record, name, part))
    if part.where is None:
        found += [combined(record, "human", "Combined, people"), combined(record, "metrics", "Combined, metrics")]
    found += [None if name is None else metric(record, name, part) for name in overall]
    return [column for column in found if column is not None]


def _combined_note(record: Record, parts: int) -> list[str]:
    if not any(record.report["leaderboard"]["combined"].values()):
        return []
    return [COMBINED] if parts == 1 else ["Combined is of a study's one direction: here it stands on the leaderboard."]


def _missing(record: Record, criteria: dict[str, Judged | None], overall: Sequence[str | None]) -> list[str]:
    """A sentence for each column of the paper that is not here."""
    board = record.report["leaderboard"]["combined"]
    found = [
        *[no_criterion(aspect, ASPECTS[aspect]) for aspect, judged in criteria.items() if judged is None],
        *[f"No metric of {aspect} is chosen." for aspect in ASPECTS if metric_for(record, aspect) is None],
        *[no_metric(*names) for names, found in zip(OVERALL, overall, strict=True) if found is None],
        "" if board["human"] else "Combined takes formality_7, fluency_5 and meaning_6, judged and not standardized.",
        "" if places_of(record, "source") else "The source was not judged beside the systems.",
        "" if places_of(record, "reference") else "No reference was judged beside the systems.",
    ]
    return [sentence for sentence in found if sentence]


TABLE = Exhibit(title=TITLE, make=make, paper=GYAFC, number="Table 4", order=104)
