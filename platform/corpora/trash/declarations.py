"""What a study file declared of a thing that goes or comes back."""

from typing import Any

from corpora.models import Study


def forget_declared(study: Study, *names: str) -> dict[str, Any]:
    """Take these parts out of what the study file declared, so that it would add them again; what they were."""
    study.refresh_from_db(fields=["declared"])
    gone = {name: study.declared.pop(name) for name in names if name in study.declared}
    if gone:
        study.save(update_fields=["declared"])
    return gone


def remember_declared(study: Study, parts: dict[str, Any]) -> None:
    """Put parts back, but for those that were declared anew since."""
    study.refresh_from_db(fields=["declared"])
    study.declared = {**parts, **study.declared}
    study.save(update_fields=["declared"])
