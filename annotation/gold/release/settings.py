"""The settings of a release: which gold, in which forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from annotation.models import Campaign
from annotation.task_types import TASK_TYPES
from corpora.formats import FORMATS, GoldFormat, names_of
from corpora.models import Study
from foundation.errors import UserError, first_five
from foundation.options import complete, option

KINDS = {
    "rewrite": "rewrites", "pair": "aligned pairs", "two_step": "rephrased and simplified sentences",
    "adaptation": "adapted abstracts", "labels": "labels", "marks": "marked texts", "screening": "screenings",
    "sentence": "single sentences",
}  # fmt: skip


def gold_formats() -> dict[str, GoldFormat]:
    """The forms of a release by name, those that hold gold of every kind first."""
    ours = {"gold": "jsonl", "gold_csv": "csv"}
    named = {ours.get(name, name): cast(GoldFormat, FORMATS[name]) for name in names_of(GoldFormat)}
    return dict(sorted(named.items(), key=lambda entry: (bool(entry[1].kinds), entry[0] != "jsonl")))


@dataclass(frozen=True)
class ReleaseSettings:
    """The gold that a release holds, and its forms; a release keeps them under these names."""

    source: str = option("campaigns", "Origin of the gold: campaigns of this study, or an import.", label="From",
                         choices=("campaigns", "imported"), called="from")  # fmt: skip
    campaigns: tuple[str, ...] = option(
        (), "Tick none to include all. If stages follow each other, the release takes the work of the last one.",
        label="Campaigns", row="work",
    )  # fmt: skip
    forms: tuple[str, ...] = option(
        ("jsonl",), "The formats that can hold this study's data.", label="Formats",
        choices=lambda: [(name, form.title) for name, form in gold_formats().items()],
    )  # fmt: skip
    unreviewed: bool = option(
        True, "A release never holds rejected work.", label="Include work that nobody has reviewed yet"
    )
    alone: bool = option(
        False, "Each sentence stands alone, in the train split, as the unpaired half of MSD.",
        label="Include sentences that nobody was asked to work on",
    )  # fmt: skip
    withdrawn: tuple[str, ...] = option(
        (), "People who withdrew their consent, by their pseudonyms on this site, in the study's exports or in one of"
        " its releases. The release leaves out each row in which they had a hand, and says how many; it names nobody.",
        label="Leave out the texts of", characters=64,
    )  # fmt: skip


@dataclass(frozen=True)
class ReleaseFields:
    """The fields of `start_release` and `make_release`."""

    settings: object = option(
        None, "`campaigns` and `forms` (lists of names), `unreviewed` and `alone` (true or false),"
        " `withdrawn` (a list of pseudonyms), `from`",
        table=ReleaseSettings,
    )  # fmt: skip
    changes: str = option(
        "", "The differences from the release before, and the reasons. The datasheet shows this text.",
        label="Changes", lines=True, characters=5000, clean=str.strip,
    )  # fmt: skip


def gold_kinds(study: Study, asked: Mapping[str, Any] | None = None) -> set[str]:
    """The kinds of gold that a release of the study can hold: by its settings, or by any."""
    wanted = asked or {"from": "", "campaigns": [], "alone": True}
    kinds: set[str] = set()
    if wanted["from"] != "imported":
        chosen = study.campaigns.filter(purpose="work")
        chosen = chosen.filter(slug__in=wanted["campaigns"]) if wanted["campaigns"] else chosen
        for campaign in chosen.select_related("after"):
            stage: Campaign | None = campaign
            while stage is not None:  # a stage that checks hands on what those before it made
                kinds.add(TASK_TYPES[stage.task_type].makes)
                stage = stage.after
    if wanted["from"] != "campaigns":
        kinds |= set(study.imported_gold.order_by().values_list("kind", flat=True).distinct())
    if wanted["alone"] and study.documents.exists():
        kinds.add("sentence")
    return kinds - {""}


def refuse_unfit_formats(study: Study, asked: Mapping[str, Any]) -> None:
    """Raise a UserError where a form holds nothing of the gold asked for, before a job is queued to find that out."""
    known, kinds = gold_formats(), gold_kinds(study, asked)
    for name in asked["forms"]:
        if kinds and not any(map(known[name].holds, kinds)):
            available, asked_kinds = (
                ", ".join(KINDS.get(kind, kind) for kind in sorted(of)) for of in (known[name].kinds, kinds)
            )
            raise UserError(
                "The format '{name}' holds {available}, but the request is for {asked_kinds}.",
                name=name,
                available=available,
                asked_kinds=asked_kinds,
                where="forms",
            )


def check_settings(study: Study, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a release (`ReleaseSettings`), complete, names in the study's order; UserError names a key."""
    settings = complete(ReleaseSettings, asked)
    chosen = _campaigns(study, settings["campaigns"]) if settings["from"] == "campaigns" else []
    forms = [name for name in gold_formats() if name in (settings["forms"] or ["jsonl"])]
    return {**settings, "campaigns": chosen, "forms": forms}


def _campaigns(study: Study, asked: list[str]) -> list[str]:
    known = list(study.campaigns.filter(purpose="work").values_list("slug", flat=True))
    strange = [slug for slug in asked if slug not in known]
    if strange:
        raise UserError(
            "The study has no campaign {strange} whose work counts.", strange=first_five(strange), where="campaigns"
        )
    return [slug for slug in known if not asked or slug in asked]
