"""The made parts of the client are those that their sources make."""

import subprocess
import sys

from foundation.project import ROOT
from tools.client.sync_half import sync_half, sync_of


def test_the_sync_half_is_made_of_the_async_half() -> None:
    assert {path: path.read_text() for path in (ROOT / "client/restyle/_sync").glob("*.py")} == sync_half()


def test_words_of_the_async_half_become_sync() -> None:
    source = (
        "async def all(self) -> AsyncIterator[int]:\n    async with AsyncClient() as one:\n        await one.aclose()\n"
    )
    assert sync_of(source) == "def all(self) -> Iterator[int]:\n    with Client() as one:\n        one.close()\n"


def test_the_client_leans_on_nothing_of_the_site() -> None:
    others = "{'django', 'foundation', 'pandas', 'polars', 'tqdm'}"
    code = f"import sys, restyle.command; sys.exit(len({others} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "client", check=True, env={"PYTHONPATH": ""})
