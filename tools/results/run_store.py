"""What runs found, a JSON file each: a run that is there under the same key is not made again.

Files of before keys said where a run was made are read with what they say.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

RunResult = dict[str, Any]


@dataclass(frozen=True)
class RunStore:
    """The runs of one experiment. A `key` holds all that a run depends on but the code: data, options, seed, and the
    `place`, which is processor, device and threads."""

    folder: Path

    def get(
        self, name: str, key: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
    ) -> RunResult | None:
        """What the run found, or None where there is none, or one of another key.

        `defaults` are those of the key's options, which a run has that was made before an option was there.
        """
        file = self._file(name, key)
        found: RunResult | None = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        if found is None:
            return None
        before = found["key"]
        if "options" in before:
            before = {**before, "options": {**defaults, **before["options"]}}
        return found if before == _as_json(key) else None

    def put(self, name: str, key: Mapping[str, Any], found: Mapping[str, Any]) -> RunResult:
        """Keep it, whole or not at all, and give it back as it will be read."""
        whole = _as_json({"name": name, "key": key, **found})
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".{name}.json"
        fresh.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self._file(name, key))
        return whole

    def _file(self, name: str, key: Mapping[str, Any]) -> Path:
        """A run of another place, which differs, has a file of its own."""
        if "place" not in key:
            return self.folder / f"{name}.json"
        place = hashlib.sha256(json.dumps(key["place"], sort_keys=True).encode()).hexdigest()[:6]
        return self.folder / f"{name}-{place}.json"

    def all(self) -> dict[str, RunResult]:
        """All runs by the names of their files, whatever their keys."""
        files = sorted(self.folder.glob("[!.]*.json"))
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}

    def forget(self) -> None:
        """Have every run made again."""
        for file in self.folder.glob("[!.]*.json"):
            file.unlink()


def _as_json(value: Mapping[str, Any]) -> RunResult:
    read: RunResult = json.loads(json.dumps(value))
    return read
