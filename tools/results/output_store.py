"""What models are trained on, and what they wrote, in the folder where work goes on.

So outputs can be judged anew without a training.
Texts are not kept beside the numbers, since what a model makes of published texts is often those texts.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from modelserving.training.dataset import Lines, TrainingData, read_dataset, write_lines
from tools.results.run_store import RunResult

FACTS = "facts.json"
OutputTexts = dict[str, list[str]]
"""The outputs, by the name of the test."""


def stored_data(work: Path, data: TrainingData) -> TrainingData:
    """The data as files, in a folder named by their digest: what another command is reading stays as it is."""
    work.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".data-", dir=work, ignore_cleanup_errors=True) as fresh:
        folder = work / f"data-{data.write(Path(fresh)).digest[:12]}"
        with suppress(OSError):  # it is there
            Path(fresh).rename(folder)
    return read_dataset(folder)


def stored_outputs(
    work: Path, name: str, key: Mapping[str, Any], make: Callable[[], tuple[OutputTexts, RunResult]]
) -> tuple[OutputTexts, RunResult]:
    """The outputs of a run and what is known of it; made once for a key."""
    folder = work / "written" / f"{name}-{digest_of(key)}"
    if not (folder / FACTS).exists():
        texts, found = make()
        folder.mkdir(parents=True, exist_ok=True)
        for test, lines in texts.items():
            write_lines(folder / f"{test}.txt", lines)
        fresh = folder / f".{FACTS}"
        fresh.write_text(json.dumps({"tests": list(texts), "key": key, **found}, indent=1), encoding="utf-8")
        fresh.replace(folder / FACTS)
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    tests = facts.pop("tests")
    del facts["key"]
    return {test: list(Lines(folder / f"{test}.txt")) for test in tests}, facts


def digest_of(*parts: object) -> str:
    """Twelve hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
