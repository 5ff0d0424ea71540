"""A campaign: work that people do on texts of a study."""

from collections.abc import Mapping
from typing import Any, cast

from restyle import types
from restyle._async.export import AsyncExport
from restyle._async.transport import AsyncTransport
from restyle.display import facts


class AsyncCampaign:
    """A campaign; `data` holds its facts as the site gives them."""

    def __init__(self, transport: AsyncTransport, study: str, data: Mapping[str, Any]) -> None:
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

    async def set_state(self, state: str, **fields: Any) -> None:
        """Open, pause or close it: `open`, `pilot`, `paused`, `closed`."""
        found = await self._transport.json("POST", f"{self._path}state/", body={"state": state, **fields})
        self.data = cast(types.CampaignShape, found)

    async def progress(self) -> types.ProgressInFull:
        """How far it is, by day and by person."""
        return cast(types.ProgressInFull, await self._transport.json("GET", f"{self._path}progress/"))

    def answers(self, form: str = "jsonl", which: str | None = None) -> AsyncExport:
        """All raw answers, streamed (docs/answers.md)."""
        query = {"format": form, "which": which}
        return AsyncExport(self._transport, f"{self._path}answers/file/", query)

    def __repr__(self) -> str:
        return f"<Campaign {self.slug}: {self.state}>"

    def _repr_html_(self) -> str:
        url = f"{self._transport.site}/studies/{self._study}/campaigns/{self.slug}/"
        return facts(self.name, url, {name: self.data.get(name) for name in ("task_type", "state", "size", "overlap")})
