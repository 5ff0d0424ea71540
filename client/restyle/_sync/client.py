# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""A site: its studies, and every request of its API."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import httpx

from restyle import types
from restyle._sync.export import Export
from restyle._sync.study import Study
from restyle._sync.transport import Transport
from restyle.errors import RestyleError
from restyle.exchange import Patience
from restyle.frames import Rows
from restyle.names import slug_of
from restyle.settings import site_and_token


class Client:
    """A Restyle site, as the owner of a token sees it.

    Without `url` and `token` they are those of RESTYLE_URL and RESTYLE_TOKEN, else those that `restyle login` kept.
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, patience: Patience | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:  # fmt: skip
        site, secret = site_and_token(url, token)
        self.transport = Transport(site, secret, patience or Patience(), transport)

    @property
    def url(self) -> str:
        return self.transport.site

    def close(self) -> None:
        self.transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def me(self) -> types.Me:
        """The owner of the token."""
        return cast(types.Me, self.get("me/"))

    def studies(self, *, archived: bool = False) -> Rows[Study]:
        """The studies that the owner of the token is in."""
        found = self.pages("studies/", archived="true" if archived else None)
        return Rows([Study(self.transport, one) for one in found])

    def study(self, slug: str) -> Study:
        """The study of that short name."""
        return Study(self.transport, self.get(f"studies/{slug}/"))

    def create_study(
        self, title: str, styles: Sequence[str], *, slug: str = "", language: str = "", **fields: Any
    ) -> Study:
        """A new study; its short name is made of the title where none is given (`fields`: of POST /studies/).

        The first style is rewritten into the second; `study.add_direction` adds other directions.
        """
        body = {"title": title, "styles": list(styles), "slug": slug or slug_of(title), "language": language, **fields}
        study = Study(self.transport, self.post("studies/", body))
        study.add_direction(*study.styles[:2])
        return study

    def apply(self, study_file: str | Path | bytes, files: Iterable[str | Path] = ()) -> Study:
        """Set up the study that a study file (TOML) or a study's archive (ZIP) declares; again it changes nothing."""
        sent = [("study", study_file), *(("files", file) for file in files)]
        found = self.transport.json("POST", "studies/apply/", files=sent)
        return self.study(found["study"])

    def get(self, path: str, **query: Any) -> Any:
        """Any GET of the API, as JSON: `client.get("studies/tone/jobs/", page=2)`."""
        return self.transport.json("GET", path, query=query)

    def post(self, path: str, body: Any = None, *, files: Any = None, key: str = "") -> Any:
        """Any POST. `files` are `{field: path}` or pairs. The same `key` again is the same act, done once."""
        return self.transport.json("POST", path, body=body, files=_pairs(files), key=key)

    def put(self, path: str, body: Any = None, *, files: Any = None, key: str = "") -> Any:
        """Any PUT."""
        return self.transport.json("PUT", path, body=body, files=_pairs(files), key=key)

    def patch(self, path: str, body: Any = None, *, key: str = "") -> Any:
        """Any PATCH."""
        return self.transport.json("PATCH", path, body=body, key=key)

    def delete(self, path: str, *, key: str = "", **query: Any) -> None:
        """Any DELETE."""
        self.transport.json("DELETE", path, query=query, key=key)

    def file(self, path: str, **query: Any) -> Export:
        """Any GET whose answer is a file: `client.file("studies/tone/gold/").save("gold.jsonl")`."""
        return Export(self.transport, path, query)

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """The rows of any list of the API, page by page."""
        for row in self.transport.pages(path, **query):
            yield row

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"


def _pairs(files: Any) -> list[tuple[str, Any]]:
    if files is None:
        return []
    if not isinstance(files, dict | list | tuple):
        raise RestyleError("Give files by their fields: files={'file': 'outputs.csv'}.")
    return list(files.items()) if isinstance(files, dict) else list(files)
