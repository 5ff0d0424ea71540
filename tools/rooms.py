"""Writes docs/rooms.md: every folder and every file at the root of an app, with the first line of its docstring.

python tools/rooms.py
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rooms.md"
ROOTS = (ROOT / "platform", ROOT)
APPS = ("platform/accounts", "platform/corpora", "platform/jobs", "annotation", "evaluation", "modelserving")
USUAL = {"__init__.py", "apps.py", "urls.py", "api_urls.py"}
NO_ROOMS = {"management", "templatetags", "languages"}  # folders that Django names
HEAD = """# Rooms

Written by `python tools/rooms.py` from the first lines of the modules. A room is a folder, or a file at the root of an
app. † Plain Python: it imports no Django, so a notebook can use it.

| room | what it holds |
|---|---|
"""


def page() -> str:
    return HEAD + "".join(f"| `{room}`{mark} | {said} |\n" for room, mark, said in rooms())


def rooms() -> Iterator[tuple[str, str, str]]:
    """Each room by its path, with its mark and its first line."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    plain = {name for contract in contracts if contract["id"] == "plain" for name in contract["source_modules"]}
    folders = {path.parent for root in ROOTS for top in _tops(root) for path in top.rglob("__init__.py")}
    files = {path for app in APPS for path in (ROOT / app).glob("*.py") if path.name not in USUAL}
    for place in sorted(
        place for place in folders | files if place.name not in NO_ROOMS and place.parent.name != "languages"
    ):
        source = place / "__init__.py" if place in folders else place
        room = str(place.relative_to(ROOT))
        module = room.removeprefix("platform/").removesuffix(".py").replace("/", ".")
        if said := ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))):
            mark = " †" if any(module == one or module.startswith(f"{one}.") for one in plain) else ""
            yield room + "/" * (place in folders), mark, " ".join(said.split("\n\n")[0].split()).replace("|", "\\|")


def _tops(root: Path) -> list[Path]:
    return (
        [root / name for name in ("annotation", "evaluation", "modelserving", "tools")]
        if root == ROOT
        else list(root.iterdir())
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
