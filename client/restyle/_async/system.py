"""A system: what wrote one output for each source."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

from restyle import types
from restyle._async.transport import AsyncTransport
from restyle.display import facts


class AsyncSystem:
    """A system; `data` holds its facts as the site gives them."""

    def __init__(self, transport: AsyncTransport, study: str, data: Mapping[str, Any]) -> None:
        self._transport, self.data = transport, cast(types.System, dict(data))
        self._path, self._study = f"studies/{study}/systems/{self.data['id']}/", study

    @property
    def name(self) -> str:
        return self.data["name"]

    async def outputs(self) -> AsyncIterator[types.Output]:
        """Its outputs, each with its source, page by page."""
        async for row in self._transport.pages(f"{self._path}outputs/"):
            yield cast(types.Output, row)

    async def remove(self) -> None:
        """Remove it with its outputs; the site can restore it for 30 days."""
        await self._transport.json("DELETE", self._path)

    def __repr__(self) -> str:
        return f"<System {self.name}: {self.data['outputs']} outputs>"

    def _repr_html_(self) -> str:
        url = f"{self._transport.site}/studies/{self._study}/systems/"
        return facts(self.name, url, {name: self.data.get(name) for name in ("outputs", "missing", "origin")})
