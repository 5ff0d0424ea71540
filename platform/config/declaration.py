"""A declared study as parts, each with a fingerprint of its settings and its files.

The fingerprints of what was applied are kept with the study. Applied again, a part with the same fingerprint is left
alone, a new part is added, and a part that differs is a stated difference.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.formats.study_file import Allowed, StudySpec
from evaluation.metrics import METRICS

Opener = Callable[[str], Any]


def allowed() -> Allowed:
    """The names that a study file may use here."""
    return Allowed(
        scales=SCALES,
        metrics=METRICS,
        tasks=TASK_TYPES,
        check_metric=lambda name, settings: METRICS[name].settings(**settings),
        check_task=lambda name, settings: TASK_TYPES[name].check_settings(settings),
    )


def scale_values() -> dict[str, list[int]]:
    """The values of each scale."""
    return {name: [int(level.value) for level in scale.levels] for name, scale in SCALES.items()}


def fingerprints(spec: StudySpec, opened: Opener) -> dict[str, str]:
    """The fingerprint of each part of a declaration, by the part's name."""
    digests = {name: _file_digest(opened(name)) for name in spec.files}
    parts: dict[str, Any] = {
        "study": [spec.slug, spec.title, spec.styles, spec.license, spec.description],
        "metrics": spec.metrics,
    }
    parts |= {f"direction {one.name}": asdict(one) for one in spec.directions}
    parts |= {f"references {number}": asdict(one) for number, one in enumerate(spec.references, 1)}
    parts |= {f"system {one.name}": asdict(one) for one in spec.systems}
    parts |= {f"ratings {number}": asdict(one) for number, one in enumerate(spec.ratings, 1)}
    parts |= {f"campaign {one.name}": asdict(one) for one in spec.campaigns}
    return {name: _fingerprint(part, digests) for name, part in parts.items()}


def _fingerprint(part: Any, digests: dict[str, str]) -> str:
    """Of the settings with the digest of every file that they name in the place of its path: moving files is no change."""
    return hashlib.sha256(orjson.dumps(_with_digests(part, digests), option=orjson.OPT_SORT_KEYS)).hexdigest()


def _with_digests(part: Any, digests: dict[str, str]) -> Any:
    if isinstance(part, dict):
        return {
            key: digests[value] if key in ("file", "sources") else _with_digests(value, digests)
            for key, value in part.items()
        }
    if isinstance(part, list | tuple):
        return [_with_digests(one, digests) for one in part]
    return part


def _file_digest(source: Path | bytes | Any) -> str:
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    if isinstance(source, Path):
        with source.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    return hashlib.file_digest(source, "sha256").hexdigest()
