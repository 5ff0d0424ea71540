"""The fields of a webhook, each declared once."""

from dataclasses import dataclass

from foundation.options import option
from integrations.events.kinds import KINDS


@dataclass(frozen=True)
class WebhookFields:
    """The fields of `create_webhook`; `edit_webhook` takes some of them."""

    url: str = option(
        "", "It gets a POST request with JSON for each event.", label="Address", characters=2_000, required=True,
        clean=str.strip,
    )  # fmt: skip
    kinds: tuple[str, ...] = option(
        (), "Without a choice it gets all of them.", label="Events",
        choices=tuple((kind.name, kind.label) for kind in KINDS.values()),
    )  # fmt: skip
