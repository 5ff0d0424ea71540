"""What a release is asked for: which gold, in which forms."""

from collections.abc import Mapping
from typing import Any, cast

from annotation.task_types import TASK_TYPES
from corpora.formats import FORMATS, GoldFormat, names_of
from corpora.models import Study
from foundation.errors import UserError, first_five

SOURCES = ("campaigns", "imported")
KINDS = {
    "rewrite": "rewrites", "pair": "aligned pairs", "two_step": "rephrased and simplified sentences",
    "adaptation": "adapted abstracts", "labels": "labels", "screening": "screenings", "sentence": "single sentences",
}  # fmt: skip
KEYS = ("from", "campaigns", "forms", "unreviewed", "alone")


def gold_formats() -> dict[str, GoldFormat]:
    """The forms of a release by name, those that hold gold of every kind first."""
    ours = {"gold": "jsonl", "gold_csv": "csv"}
    named = {ours.get(name, name): cast(GoldFormat, FORMATS[name]) for name in names_of(GoldFormat)}
    return dict(sorted(named.items(), key=lambda entry: (bool(entry[1].kinds), entry[0] != "jsonl")))


def gold_kinds(study: Study, asked: Mapping[str, Any] | None = None) -> set[str]:
    """The kinds of gold that a release of the study can hold: by its settings, or by any."""
    wanted = asked or {"from": "", "campaigns": [], "alone": True}
    kinds: set[str] = set()
    if wanted["from"] != "imported":
        chosen = study.campaigns.filter(purpose="work")
        chosen = chosen.filter(slug__in=wanted["campaigns"]) if wanted["campaigns"] else chosen
        for campaign in chosen.select_related("after"):
            while campaign is not None:  # a stage that checks hands on what those before it made
                kinds.add(TASK_TYPES[campaign.task_type].makes)
                campaign = campaign.after
    if wanted["from"] != "campaigns":
        kinds |= set(study.imported_gold.order_by().values_list("kind", flat=True).distinct())
    if wanted["alone"] and study.documents.exists():
        kinds.add("sentence")
    return kinds - {""}


def refuse_unfit_formats(study: Study, asked: Mapping[str, Any]) -> None:
    """A UserError where a form holds nothing of the gold that is asked for; before a job is queued to find that out."""
    known, kinds = gold_formats(), gold_kinds(study, asked)
    for name in asked["forms"]:
        if kinds and not any(map(known[name].holds, kinds)):
            available, asked_kinds = (
                ", ".join(KINDS.get(kind, kind) for kind in sorted(of)) for of in (known[name].kinds, kinds)
            )
            raise UserError(
                "The form '{name}' holds {available}, and what is asked for is {asked_kinds}.",
                name=name,
                available=available,
                asked_kinds=asked_kinds,
                where="forms",
            )


def check_settings(study: Study, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a release, complete; a UserError that names the key.

    `from` says whose gold: made in the study's campaigns, or imported. `campaigns` are their short names, none for all
    that do work. `unreviewed`: whether work counts that nobody has reviewed yet. `alone`: whether sentences of
    documents that nobody was asked to work on are in it too, each for itself (MSD's training half).
    """
    strange = [key for key in asked if key not in KEYS]
    if strange:
        raise UserError(
            "There is no setting {strange}; there are {keys}.",
            strange=first_five(strange),
            keys=", ".join(KEYS),
            where=strange[0],
        )
    source = asked.get("from", "campaigns")
    if source not in SOURCES:
        raise UserError(
            "'{source}' is no source of gold; it is {sources}.",
            source=source,
            sources=" or ".join(SOURCES),
            where="from",
        )
    return {
        "from": source,
        "campaigns": _campaigns(study, _names(asked, "campaigns")) if source == "campaigns" else [],
        "forms": _forms(_names(asked, "forms") or ["jsonl"]),
        "unreviewed": _truth(asked, "unreviewed", default=True),
        "alone": _truth(asked, "alone", default=False),
    }


def _names(asked: Mapping[str, Any], key: str) -> list[str]:
    value = asked.get(key) or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise UserError("A list of names was expected.", where=key)
    return value


def _campaigns(study: Study, asked: list[str]) -> list[str]:
    known = list(study.campaigns.filter(purpose="work").values_list("slug", flat=True))
    strange = [slug for slug in asked if slug not in known]
    if strange:
        raise UserError(
            "The study has no campaign {strange} whose work counts.", strange=first_five(strange), where="campaigns"
        )
    return [slug for slug in known if not asked or slug in asked]


def _forms(asked: list[str]) -> list[str]:
    known = gold_formats()
    strange = [name for name in asked if name not in known]
    if strange:
        raise UserError(
            "There is no form {strange}; there are {known}.",
            strange=first_five(strange),
            known=", ".join(known),
            where="forms",
        )
    return [name for name in known if name in asked]


def _truth(asked: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value = asked.get(key, default)
    if not isinstance(value, bool):
        raise UserError("Yes or no was expected.", where=key)
    return value
