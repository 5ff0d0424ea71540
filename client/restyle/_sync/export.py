# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""Files of a study, streamed: never whole in memory unless asked for."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from restyle._sync.transport import Transport
from restyle.errors import NoAnswer, RestyleError
from restyle.exchange import Call, call_of
from restyle.frames import Rows

if TYPE_CHECKING:
    import pandas
    import polars


class Export:
    """A file that the site writes while it is read. `rows()` are for the form `jsonl`."""

    def __init__(self, transport: Transport, path: str, query: Mapping[str, Any]) -> None:
        self._transport, self.path, self.query = transport, path, dict(query)

    def chunks(self) -> Iterator[bytes]:
        """The bytes as they come; NoAnswer where the connection is lost before the end."""
        with self._transport.streamed(self._call()) as answer:
            try:
                for chunk in answer.iter_bytes():
                    yield chunk
            except httpx.TransportError as error:
                raise NoAnswer(f"{self.path} ended early, as the connection was lost ({error}): ask again.") from error

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each line of JSON, as it comes."""
        query = {**self.query, "format": "jsonl"}
        with self._transport.streamed(call_of("GET", self.path, query=query)) as answer:
            try:
                for line in answer.iter_lines():
                    if line.strip():
                        yield json.loads(line)
            except httpx.TransportError as error:
                raise NoAnswer(f"{self.path} ended early, as the connection was lost ({error}): ask again.") from error

    def save(self, to: str | Path) -> Path:
        """Write the file, or leave the old one as it was. A connection that is lost is tried again from the start."""
        path = Path(to).expanduser()
        beside = path.with_name(f".{path.name}.part")
        for tried in range(1, self._transport.patience.tries + 1):
            try:
                with beside.open("wb") as file:
                    for chunk in self.chunks():
                        file.write(chunk)
                beside.replace(path)
                return path
            except NoAnswer:
                if tried == self._transport.patience.tries:
                    raise
            except OSError as error:
                raise RestyleError(f"{path} cannot be written: {error.strerror or error}.") from error
            finally:
                beside.unlink(missing_ok=True)
        raise RestyleError(f"{path} was not written.")

    def all(self) -> Rows[dict[str, Any]]:
        """All rows in memory."""
        return Rows([row for row in self.rows()])

    def to_pandas(self) -> "pandas.DataFrame":
        return (self.all()).to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        return (self.all()).to_polars()

    def _call(self) -> Call:
        return call_of("GET", self.path, query=self.query)

    def __repr__(self) -> str:
        return f"<Export {self.path} {self.query}>"
