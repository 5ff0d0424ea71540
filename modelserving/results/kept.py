"""What runs found, a JSON file each: a run that is there under the same key is not made again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Found = dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """The runs of one experiment. A `key` holds all that a run depends on but the code: data, options, seed."""

    folder: Path

    def get(self, name: str, key: Mapping[str, Any]) -> Found | None:
        """What the run found, or None where there is none, or one of another key."""
        found = self.all().get(name)
        return found if found is not None and found["key"] == _as_read(key) else None

    def put(self, name: str, key: Mapping[str, Any], found: Mapping[str, Any]) -> Found:
        """Keep it, whole or not at all, and give it back as it will be read."""
        whole = _as_read({"name": name, "key": key, **found})
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".{name}.json"
        fresh.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.folder / f"{name}.json")
        return whole

    def all(self) -> dict[str, Found]:
        """All runs by their names, whatever their keys."""
        files = sorted(self.folder.glob("[!.]*.json"))
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}

    def forget(self) -> None:
        """Have every run made again."""
        for file in self.folder.glob("[!.]*.json"):
            file.unlink()


def _as_read(value: Mapping[str, Any]) -> Found:
    read: Found = json.loads(json.dumps(value))
    return read
