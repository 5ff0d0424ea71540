"""What was judged beside the systems: the source itself and a human reference (Rao and Tetreault 2018, Table 4)."""

from collections.abc import Collection

from annotation.models import Item
from annotation.task_types import TASK_TYPES
from corpora.models import Study
from evaluation.snapshot import SystemRow, Units
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


def not_asked_of_source(study: Study) -> set[str]:
    """The criteria that campaigns asked of outputs and never of the source.

    An output may be the source unchanged. What is said of it is then the system's alone: of GYAFC's source neither
    meaning nor a place in a ranking is asked.
    """
    asked, of_source = set[str](), set[str]()
    for pk, kind, settings in study.campaigns.values_list("pk", "task_type", "settings"):
        if "rate_source" not in settings:
            continue
        names = set(TASK_TYPES[kind].asked(settings))
        asked |= names
        if settings["rate_source"]:
            of_source |= names & (_named_in_items(pk) or names)
    return asked - of_source


def _named_in_items(campaign: int) -> set[str]:
    """The criteria of the items that name some: those of the source alone (`annotation.task_types.rate`)."""
    items = Item.objects.filter(campaign=campaign, content__has_key="criteria")
    return set(items.values_list("content__criteria", flat=True).first() or ())


def _row(role: str, name: str, names: Collection[str], outputs: Collection[str | None]) -> SystemRow:
    free = next(
        candidate for candidate in (name, f"{name} text", f"{name} of the study", f"({name})") if candidate not in names
    )
    return SystemRow(free, free, None, {}, role == REFERENCE, list(outputs), role)  # type: ignore[arg-type]


def _chosen(home: int, references: Collection[str], judged: Collection[tuple[int, str]]) -> str | None:
    judged_references = [text for text in references if (home, text_key(text)) in judged]
    return next(iter([*judged_references, *references]), None)
