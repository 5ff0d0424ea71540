"""The results of runs, a JSON file each: a run that is there under the same key is not made again.

Files from before keys named the machine of a run are read as they are.
"""

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from modelserving.training.dataset import Lines, TrainingData, read_dataset, write_lines

# The machine of a run, and its time. Runs on other processors differ, since their sums round otherwise.

VECTORS = ("avx512f", "avx2", "avx", "asimd")
"""The instructions that sums over many numbers are made of, the widest first."""


def machine() -> str:
    """'2 processors (AMD EPYC, family 26 model 2, avx512f), Python 3.11.7', in one line."""
    return f"{os.cpu_count()} processors ({processor()}), Python {platform.python_version()}"


def hardware_key(device: str) -> dict[str, str | int]:
    """The hardware that a run's numbers depend on, beside data, options and seed: it is part of the run's key."""
    return {"processor": processor(), "device": _device(device), "threads": threads()}


def threads() -> int:
    """How many threads a computation may take, as the command set it."""
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


@dataclass(frozen=True)
class ElapsedTime:
    """Seconds on the clock, and seconds of processors: of this process and of the programs that it ran."""

    clock: float = 0.0
    processor: float = 0.0

    def __add__(self, other: "ElapsedTime") -> "ElapsedTime":
        return ElapsedTime(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: "ElapsedTime") -> "ElapsedTime":
        return ElapsedTime(self.clock - other.clock, self.processor - other.processor)


def elapsed() -> ElapsedTime:
    """The time taken so far; only differences of it mean something."""
    programs = os.times()
    return ElapsedTime(time.perf_counter(), time.process_time() + programs.children_user + programs.children_system)


def processor() -> str:
    """'AMD EPYC, family 26 model 2, avx512f': makers hide which of many processors one name stands for."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    return describe_processor(text)


def describe_processor(text: str) -> str:
    """The first processor of such a file, in a few words."""
    facts: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    parts = [facts.get("model name") or platform.machine()]
    if "cpu family" in facts and "model" in facts:
        parts.append(f"family {facts['cpu family']} model {facts['model']}")
    has = set(facts.get("flags", facts.get("Features", "")).split())
    return ", ".join([*parts, *[name for name in VECTORS if name in has][:1]])


def _device(name: str) -> str:
    """'cpu', or the graphics processor's own name behind its place."""
    if not name.startswith("cuda"):
        return name
    import torch

    return f"{name} ({torch.cuda.get_device_name(name)})"


RunResult = dict[str, Any]


@dataclass(frozen=True)
class RunStore:
    """The runs of one experiment. A `key` holds all that a run depends on but the code: data, options, seed, and the
    `place`, which is processor, device and threads."""

    folder: Path

    def get(
        self, name: str, key: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
    ) -> RunResult | None:
        """The result of the run, or None where there is none, or one of another key.

        `defaults` are those of the key's options: a run from before an option was there has its default.
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
        """Keep the result, whole or not at all, and give it back as it will be read."""
        whole = _as_json({"name": name, "key": key, **found})
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".{name}.json"
        fresh.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self._file(name, key))
        return whole

    def _file(self, name: str, key: Mapping[str, Any]) -> Path:
        """The file of a run; one of another place, which differs, has a file of its own."""
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


# The training data and the outputs of models, in the folder where work goes on.
#
# So outputs can be judged anew without a training.
# Texts are not kept beside the numbers, since a model's outputs for published texts are often those texts.

FACTS = "facts.json"
OutputTexts = dict[str, list[str]]
"""The outputs, by the name of the test."""


def stored_data(work: Path, data: TrainingData) -> TrainingData:
    """The data as files, in a folder named by their digest: files that another command is reading stay as they are."""
    work.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".data-", dir=work, ignore_cleanup_errors=True) as fresh:
        folder = work / f"data-{data.write(Path(fresh)).digest[:12]}"
        with suppress(OSError):  # it is there
            Path(fresh).rename(folder)
    return read_dataset(folder)


def stored_outputs(
    work: Path, name: str, key: Mapping[str, Any], make: Callable[[], tuple[OutputTexts, RunResult]]
) -> tuple[OutputTexts, RunResult]:
    """The outputs of a run and the facts about it; made once for a key."""
    folder = work / "written" / f"{name}-{digest_of(key)}"
    if not (folder / FACTS).exists():
        texts, found = make()
        folder.mkdir(parents=True, exist_ok=True)
        for test, lines in texts.items():
            write_lines(folder / f"{test}.txt", lines)
        fresh = folder / f".{FACTS}"
        fresh.write_text(json.dumps({"tests": list(texts), "key": key, **found}, indent=1), encoding="utf-8")
        fresh.replace(folder / FACTS)
    return _read_outputs(folder)[1:]


def all_outputs(work: Path, row: str) -> Iterator[tuple[dict[str, Any], OutputTexts, RunResult]]:
    """The key, the outputs and the facts of each run of the row that was written, by whichever machine."""
    for file in sorted((work / "written").glob(f"{row}-*/{FACTS}")):
        yield _read_outputs(file.parent)


def judge_outputs(
    store: RunStore,
    work: Path,
    row: str,
    name: str,
    planned: Mapping[str, Any],
    judge: Callable[[OutputTexts, RunResult], RunResult],
    *,
    judged: int,
    defaults: Mapping[str, Any],
) -> None:
    """Judge what was written for the planned run, by this machine or another, and has no result of this judge yet."""
    planned = _as_json(planned)
    for key, texts, found in all_outputs(work, row):
        whole = {**key, "judged": judged}
        if key == {**planned, "place": key["place"]} and store.get(name, whole, defaults) is None:
            store.put(name, whole, judge(texts, found))


def _read_outputs(folder: Path) -> tuple[dict[str, Any], OutputTexts, RunResult]:
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    tests, key = facts.pop("tests"), facts.pop("key")
    return key, {test: list(Lines(folder / f"{test}.txt")) for test in tests}, facts


def digest_of(*parts: object) -> str:
    """Twelve hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
