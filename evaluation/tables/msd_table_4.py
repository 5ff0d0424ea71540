"""Systems by style accuracy, perplexity, BLEU to source and reference, and content (Cao et al. 2020, Table 4)."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import criterion_of, metric_of, places_of
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content, no_criterion, no_metric
from evaluation.table_parts.paper_scales import OURS, PERCENT, scale_notes
from evaluation.table_parts.signatures import signature_notes
from evaluation.table_parts.subsets import Subset, directions
from evaluation.table_parts.system_columns import Column, human_column, metric_column
from evaluation.table_parts.system_tables import stack_tables, star_note, table_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "Systems by style, fluency and content"
METRICS_OF = {
    "Acc": ("style_accuracy", "transfer_strength"),
    "PPL": ("perplexity_lm", "perplexity_ngram"),
    "self-BLEU": ("self_bleu",),
    "ref-BLEU": ("bleu",),
}
SCALES = dict.fromkeys(METRICS_OF["Acc"], PERCENT)
SCALE = "content_5"
NO_GOLD = (
    "No row holds people's rewrites: upload them as the outputs of a system that is a person, or open a human study in "
    "which the reference is judged beside the systems."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for each direction, people's rewrites last."""
    chosen = {head: metric_of(snapshot, *names) for head, names in METRICS_OF.items()}
    missing = _missing(snapshot, chosen)
    if not snapshot.systems or not any(chosen.values()):
        return missing_content(TITLE, *missing)
    people = [place for place in places_of(snapshot, "system") if snapshot.systems[place].is_human]
    others = [place for place in places_of(snapshot, "system") if place not in people]
    places = [*others, *people, *places_of(snapshot, "reference")]
    tables = [
        (part.label, table_of(snapshot, TITLE, places, _columns(snapshot, part, chosen)))
        for part in directions(snapshot)
    ]
    stacked = stack_tables(TITLE, tables)
    signed = signature_notes(snapshot, filter(None, chosen.values()))
    scales = scale_notes(SCALES, [(name, head) for head, name in chosen.items() if name])
    return Table(TITLE, stacked.head, stacked.rows, [*scales, *star_note(snapshot), *signed, *missing], stacked.better)


def _columns(snapshot: StudySnapshot, part: Subset, chosen: dict[str, str | None]) -> list[Column]:
    judged = criterion_of(snapshot, "meaning", SCALE)
    columns = [
        metric_column(snapshot, name, part, _head(head, name), SCALES.get(name, OURS))
        for head, name in chosen.items()
        if name
    ]
    return [*columns, *([] if judged is None else [human_column(snapshot, judged, part, f"{judged.label}, people")])]


def _head(head: str, name: str) -> str:
    """The paper's head, unless another metric stands in for the paper's."""
    return head if name == METRICS_OF[head][0] else ""


def _missing(snapshot: StudySnapshot, chosen: dict[str, str | None]) -> list[str]:
    gold = any(row.is_human or row.role == "reference" for row in snapshot.systems)
    sentences = [
        "" if snapshot.systems else "The study has no systems: add one on the page Systems.",
        *[no_metric(*METRICS_OF[head]) for head, name in chosen.items() if name is None],
        "" if criterion_of(snapshot, "meaning", SCALE) else no_criterion("meaning", SCALE),
        "" if gold else NO_GOLD,
    ]
    return [sentence for sentence in sentences if sentence]


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 4", order=204)
