"""A release as a draft on Zenodo: a person looks at it there, names its authors, and publishes it."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from annotation.gold.release.metadata import Described, spdx_of
from integrations.failures import ServiceError
from integrations.zenodo.client import Zenodo

Step = Callable[[int, int], None]


def draft_of(zenodo: Zenodo, told: Described, files: Sequence[Path], step: Step) -> dict[str, Any]:
    """`{"url", "doi", "files"}` of the new draft; a draft that did not get all its files is removed again."""
    step(0, len(files) + 1)
    draft = zenodo.create(metadata_of(told))
    try:
        number, bucket, url = int(draft["id"]), str(draft["links"]["bucket"]), str(draft["links"]["html"])
        doi = str(draft["metadata"]["prereserve_doi"]["doi"])
    except (KeyError, TypeError, ValueError):
        raise ServiceError("Zenodo gave half an answer.", permanent=False) from None
    try:
        for done, file in enumerate(files, 1):
            there = zenodo.upload(bucket, file)
            if there and there != f"md5:{_md5(file)}":
                raise ServiceError("A file is not at Zenodo as it is here.", permanent=False)
            step(done, len(files) + 1)
    except BaseException:  # a stop too: half a draft helps nobody
        zenodo.remove(number)
        raise
    step(len(files) + 1, len(files) + 1)
    return {"url": url, "doi": doi, "files": len(files)}


def metadata_of(told: Described) -> dict[str, Any]:
    """Zenodo's metadata. Creators are all together, for the person who publishes it to name."""
    known = spdx_of(told.license)
    notes = f"Licence: {told.license}." if told.license and not known else ""
    described: dict[str, Any] = {
        "title": told.name, "upload_type": "dataset", "description": told.abstract, "version": str(told.number),
        "publication_date": told.day.isoformat(), "creators": [{"name": told.authors}], "prereserve_doi": True,
        "access_right": "open" if known else "closed", "license": known.lower(), "notes": notes,
        "language": LANGUAGES.get(told.language.partition("-")[0], ""),
        "keywords": ["text style transfer", *told.styles],
    }  # fmt: skip
    return {key: value for key, value in described.items() if value}


LANGUAGES = {"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "ar": "ara", "he": "heb", "zh": "zho"}
"""ISO 639-3, as Zenodo takes it."""


def _md5(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
