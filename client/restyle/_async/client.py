"""A site: its studies, and every request of its API."""

from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import httpx

from restyle import types
from restyle._async.export import AsyncExport
from restyle._async.study import AsyncStudy
from restyle._async.transport import AsyncTransport
from restyle.errors import RestyleError
from restyle.exchange import Patience
from restyle.frames import Rows
from restyle.names import slug_of
from restyle.settings import site_and_token


class AsyncClient:
    """A Restyle site, as the owner of a token sees it.

    Without `url` and `token` they are those of RESTYLE_URL and RESTYLE_TOKEN, else those that `restyle login` kept.
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, patience: Patience | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:  # fmt: skip
        site, secret = site_and_token(url, token)
        self.transport = AsyncTransport(site, secret, patience or Patience(), transport)

    @property
    def url(self) -> str:
        return self.transport.site

    async def close(self) -> None:
        await self.transport.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def me(self) -> types.Me:
        """The owner of the token."""
        return cast(types.Me, await self.get("me/"))

    async def studies(self, *, archived: bool = False) -> Rows[AsyncStudy]:
        """The studies that the owner of the token is in."""
        found = self.pages("studies/", archived="true" if archived else None)
        return Rows([AsyncStudy(self.transport, one) async for one in found])

    async def study(self, slug: str) -> AsyncStudy:
        """The study of that short name."""
        return AsyncStudy(self.transport, await self.get(f"studies/{slug}/"))

    async def create_study(
        self, title: str, styles: Sequence[str], *, slug: str = "", language: str = "", **fields: Any
    ) -> AsyncStudy:
        """A new study; its short name is made of the title where none is given (`fields`: of POST /studies/).

        The first style is rewritten into the second; `study.add_direction` adds other directions.
        """
        body = {"title": title, "styles": list(styles), "slug": slug or slug_of(title), "language": language, **fields}
        study = AsyncStudy(self.transport, await self.post("studies/", body))
        await study.add_direction(*study.styles[:2])
        return study

    async def apply(self, study_file: str | Path | bytes, files: Iterable[str | Path] = ()) -> AsyncStudy:
        """Set up the study that a study file (TOML) or a study's archive (ZIP) declares; again it changes nothing."""
        sent = [("study", study_file), *(("files", file) for file in files)]
        found = await self.transport.json("POST", "studies/apply/", files=sent)
        return await self.study(found["study"])

    async def get(self, path: str, **query: Any) -> Any:
        """Any GET of the API, as JSON: `client.get("studies/tone/jobs/", page=2)`."""
        return await self.transport.json("GET", path, query=query)

    async def post(self, path: str, body: Any = None, *, files: Any = None, key: str = "") -> Any:
        """Any POST. `files` are `{field: path}` or pairs. The same `key` again is the same act, done once."""
        return await self.transport.json("POST", path, body=body, files=_pairs(files), key=key)

    async def put(self, path: str, body: Any = None, *, files: Any = None, key: str = "") -> Any:
        """Any PUT."""
        return await self.transport.json("PUT", path, body=body, files=_pairs(files), key=key)

    async def patch(self, path: str, body: Any = None, *, key: str = "") -> Any:
        """Any PATCH."""
        return await self.transport.json("PATCH", path, body=body, key=key)

    async def delete(self, path: str, *, key: str = "", **query: Any) -> None:
        """Any DELETE."""
        await self.transport.json("DELETE", path, query=query, key=key)

    def file(self, path: str, **query: Any) -> AsyncExport:
        """Any GET whose answer is a file: `client.file("studies/tone/gold/").save("gold.jsonl")`."""
        return AsyncExport(self.transport, path, query)

    async def pages(self, path: str, **query: Any) -> AsyncIterator[dict[str, Any]]:
        """The rows of any list of the API, page by page."""
        async for row in self.transport.pages(path, **query):
            yield row

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"


def _pairs(files: Any) -> list[tuple[str, Any]]:
    if files is None:
        return []
    if not isinstance(files, dict | list | tuple):
        raise RestyleError("Give files by their fields: files={'file': 'outputs.csv'}.")
    return list(files.items()) if isinstance(files, dict) else list(files)
