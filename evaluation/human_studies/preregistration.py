"""Preregistration: the plan of a human study as it was when it opened, with a hash that shows it unaltered."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from annotation.models import Campaign
from corpora.models import System
from evaluation.human_studies.cost import Cost
from evaluation.human_studies.sample import material_drawn
from evaluation.models import HumanStudy

PLAIN = (
    *("name", "splits", "rate_source", "rate_reference", "sampling", "size", "seed", "criteria", "ranks"),
    *("best_worst", "judgements", "outputs_per_item", "crew", "costs", "controls", "use_controls", "exclusions"),
    *("comparison", "shows_comparison", "guideline", "sentence_ids"),
)
OF_CAMPAIGN = ("slug", "task_type", "overlap", "crew", "guideline_version", "size")


def preregistered_plan(
    human_study: HumanStudy, systems: Sequence[System], campaigns: Sequence[Campaign], cost: Cost
) -> Any:
    """`{"rules": {...}, "sha256": ...}`; the hash is over the rules as JSON with sorted keys.

    Of texts the rules hold digests alone, so that the page can show them to everybody who runs the study.
    """
    rules = {
        **{name: getattr(human_study, name) for name in PLAIN},
        "direction": human_study.direction.name if human_study.direction else None,
        "systems": [system.name for system in systems],
        "others": sorted(
            set(human_study.study.systems.values_list("name", flat=True)) - {system.name for system in systems}
        ),
        "texts": digests_of(human_study, systems),
        "control_texts": sha256(human_study.control_texts),
        "campaigns": {campaign.slug: campaign_rules(campaign) for campaign in campaigns},
        "planned": {"sentences": cost.sentences, "answers": cost.answers, "judgements": cost.judgements},
    }
    return {"rules": rules, "sha256": sha256(rules)}


def campaign_rules(campaign: Campaign) -> dict[str, Any]:
    """What of a campaign must stay as it was."""
    return {name: getattr(campaign, name) for name in OF_CAMPAIGN} | {"criteria": campaign.settings.get("criteria", [])}


def digests_of(human_study: HumanStudy, systems: Iterable[System]) -> dict[str, str]:
    """The SHA-256 of what is judged: of the sources, and of each system's outputs for the drawn sentences."""
    chosen = list(systems)
    rows = list(material_drawn(human_study, chosen))
    digests = {"": sha256([[row.sentence_id, row.source] for row in rows])}
    return digests | {
        system.name: sha256([[row.sentence_id, row.outputs[place]] for row in rows])
        for place, system in enumerate(chosen)
    }


def sha256(value: Any) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def is_unaltered(frozen: Mapping[str, Any]) -> bool:
    """Whether the kept rules still have the hash that was made of them."""
    return sha256(frozen["rules"]) == frozen["sha256"]
