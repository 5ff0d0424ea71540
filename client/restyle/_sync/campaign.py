# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""A campaign: work that people do on texts of a study."""

from collections.abc import Mapping
from typing import Any, cast

from restyle import types
from restyle._sync.export import Export
from restyle._sync.transport import Transport
from restyle.display import facts


class Campaign:
    """A campaign; `data` holds its facts as the site gives them."""

    def __init__(self, transport: Transport, study: str, data: Mapping[str, Any]) -> None:
        self._transport, self.data = transport, cast(types.CampaignShape, dict(data))
        self._study, self._path = study, f"studies/{study}/campaigns/{self.slug}/"

    @property
    def slug(self) -> str:
        return self.data["slug"]

    @property
    def name(self) -> str:
        return self.data["name"]

    @property
    def state(self) -> str:
        return self.data["state"]

    def set_state(self, state: str, **fields: Any) -> None:
        """Open, pause or close it: `open`, `pilot`, `paused`, `closed`."""
        found = self._transport.json("POST", f"{self._path}state/", body={"state": state, **fields})
        self.data = cast(types.CampaignShape, found)

    def progress(self) -> types.ProgressInFull:
        """How far it is, by day and by person."""
        return cast(types.ProgressInFull, self._transport.json("GET", f"{self._path}progress/"))

    def answers(self, form: str = "jsonl", which: str | None = None) -> Export:
        """All raw answers, streamed (docs/answers.md)."""
        query = {"format": form, "which": which}
        return Export(self._transport, f"{self._path}answers/file/", query)

    def __repr__(self) -> str:
        return f"<Campaign {self.slug}: {self.state}>"

    def _repr_html_(self) -> str:
        url = f"{self._transport.site}/studies/{self._study}/campaigns/{self.slug}/"
        return facts(self.name, url, {name: self.data.get(name) for name in ("task_type", "state", "size", "overlap")})
