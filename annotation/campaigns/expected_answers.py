"""Expected answers: people train and qualify on them, and they check on the work."""

from typing import Any

from annotation.models import Campaign

ASKED_OF = {Campaign.Purpose.TRAINING, Campaign.Purpose.QUALIFICATION}


def lacking(campaign: Campaign) -> int:
    """How many items still lack the expected answer that this campaign's purpose needs; 0 for ordinary work.

    People get only those that have one, so a training may open before the last item has its own.
    """
    if campaign.purpose not in ASKED_OF:
        return 0
    return campaign.items.filter(expected__isnull=True, withdrawn=False).count()


def expected_count(campaign: Campaign) -> int:
    """How many items have an expected answer."""
    return campaign.items.filter(expected__isnull=False, withdrawn=False).count()


def opening_words(content: Any, longest: int | None = 300) -> str:
    """The first text of an item, cut for a list; "" where it holds none."""
    if isinstance(content, str):
        return content[:longest]
    if isinstance(content, dict):
        named = [content[key] for key in ("source", "title", "question", "text") if content.get(key)]
        content = [*named, *content.values()]
    openings = (opening_words(part, longest) for part in content) if isinstance(content, list) else iter(())
    return next((words for words in openings if words.strip()), "")
