"""What was judged beside the systems: the source itself and a human reference (Rao and Tetreault 2018, Table 4)."""

from collections.abc import Collection

from corpora.models import Study
from evaluation.snapshot.systems import SystemRow
from evaluation.snapshot.units import Units
from foundation.text_keys import text_key

SOURCE, REFERENCE = BESIDE = ("source", "reference")


def source_and_reference_rows(study: Study, units: Units, judged: Collection[tuple[int, str]]) -> list[SystemRow]:
    """A row for each of them that a campaign had judged; names that systems do not have.

    Of a unit's references the one that was judged stands for all of them, else the first.
    """
    settings = list(study.campaigns.values_list("settings", flat=True))
    names = set(study.systems.values_list("name", flat=True))
    rows = []
    if any(setting.get("rate_source") for setting in settings):
        rows.append(_row(SOURCE, "Source", names, units.sources))
    if any(setting.get("rate_reference") for setting in settings):
        pairs = zip(units.home.tolist(), units.references, strict=True)
        rows.append(_row(REFERENCE, "Reference", names, [_chosen(home, given, judged) for home, given in pairs]))
    return rows


def _row(role: str, name: str, names: Collection[str], outputs: Collection[str | None]) -> SystemRow:
    free = next(
        candidate for candidate in (name, f"{name} text", f"{name} of the study", f"({name})") if candidate not in names
    )
    return SystemRow(free, free, None, {}, role == REFERENCE, list(outputs), role)  # type: ignore[arg-type]


def _chosen(home: int, references: Collection[str], judged: Collection[tuple[int, str]]) -> str | None:
    judged_references = [text for text in references if (home, text_key(text)) in judged]
    return next(iter([*judged_references, *references]), None)
