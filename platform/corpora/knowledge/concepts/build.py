"""Make the folder of concepts from the user's own UMLS: `manage.py build_concepts`.

Memory stays flat but for 12 bytes a term: some 150 MB for all of the UMLS in English.
"""

import json
import os
import shutil
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from quickumls.constants import LANGUAGES
from quickumls.toolbox import SimstringDBWriter
from unidecode import unidecode

from corpora.knowledge.concepts import index, stop_words, umls_rrf
from corpora.knowledge.concepts.index import Manifest
from foundation.errors import UserError

TERMS_DB, UNUSED_DB = "umls-simstring.db", "cui-semtypes.db"
FLAGS = {"lowercase.flag": "", "normalize-unicode.flag": "", "database_backend.flag": "unqlite"}
LONGEST_TERM = 150  # characters; no mention of a few words comes near a longer one
EVERY = 200_000  # terms between two reports

Step = Callable[[str], None]


def build(umls: Path, out: Path, wanted: Manifest, step: Step = lambda line: None) -> Manifest:
    """Make `out` from the RRF files in `umls`; answers the new index. `step` hears of the progress, in sentences.

    It is put together beside `out` and moved there when complete; a build that was cut short begins anew. An `out` that
    was made from the same files with the same settings stays.
    """
    asked = replace(wanted, made_from=_stamps(umls)).checked("settings")
    if asked.language not in LANGUAGES:
        raise UserError(
            "The language must be one of {languages}.", languages=", ".join(LANGUAGES), where=asked.language
        )
    if out.exists() and not (out / index.MANIFEST).is_file():
        raise UserError("This folder exists already and holds no concepts; name a new folder.", where=str(out))
    if out.exists() and _same(out, asked):
        step("It is there already, from the same files.")
        return index.manifest(out)
    building = out.with_name(f"{out.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    made = _fill(building, umls, asked, step)
    (building / index.MANIFEST).write_text(made.text(), encoding="utf-8")
    _move(building, out)
    return made


def _stamps(umls: Path) -> dict[str, list[int]]:
    """Size and time of each file; a UserError where one that is needed is missing."""
    for name in (umls_rrf.NAMES, umls_rrf.TYPES):
        if not (umls / name).is_file():
            raise UserError(
                "There is no {name} in the folder; it holds the UMLS's RRF files.", name=name, where=str(umls)
            )
    files = {name: umls / name for name in umls_rrf.FIELDS if (umls / name).is_file()}
    return {name: [path.stat().st_size, path.stat().st_mtime_ns] for name, path in files.items()}


def _same(out: Path, asked: Manifest) -> bool:
    there = index.manifest(out)
    return replace(there, concepts=0, terms=0) == asked


def _fill(folder: Path, umls: Path, asked: Manifest, step: Step) -> Manifest:
    size = asked.made_from[umls_rrf.NAMES][0]
    terms = folder / "terms.building"
    step(f"Reading {umls_rrf.NAMES}.")
    keys, meanings, concepts = _read(
        folder,
        terms,
        umls_rrf.concepts(umls, asked.language, lambda read: step(f"{min(99, 100 * read // size)} per cent read.")),
    )
    if not concepts:
        raise UserError(
            "The file has no name in the language {language}.", language=asked.language, where=umls_rrf.NAMES
        )
    _save(folder, keys, meanings)
    _write_terms(folder, terms, keys, step)
    terms.unlink()
    for name, text in {**FLAGS, "language.flag": asked.language}.items():
        (folder / name).write_text(text)
    (folder / UNUSED_DB).mkdir()
    stop_words.write(folder / index.STOP_WORDS)
    return replace(asked, concepts=concepts, terms=len(np.unique(keys)))


def _read(folder: Path, terms: Path, found: Iterator[umls_rrf.Named]) -> "tuple[array[int], array[int], int]":
    """Write the concepts and, a line each, their terms as they are looked up; answer the terms' keys and meanings."""
    keys, meanings, places = array("Q"), array("L"), array("Q", [0])
    with (folder / index.CONCEPTS).open("wb") as concepts, terms.open("w", encoding="utf-8") as lines:
        for number, (concept, names) in enumerate(found):
            row = {"cui": concept.cui, "names": concept.names, "types": concept.types, "definition": concept.definition}
            written = concepts.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            places.append(places[-1] + written)
            for term, preferred in dict.fromkeys((normal(name), preferred) for name, preferred in names):
                if 0 < len(term) <= LONGEST_TERM:
                    keys.append(index.key_of(term))
                    meanings.append(2 * number + preferred)
                    lines.write(term + "\n")
    np.save(folder / index.PLACES, np.frombuffer(places, dtype=np.uint64))
    return keys, meanings, len(places) - 1


def normal(term: str) -> str:
    """A term as QuickUMLS looks it up with the flags that are set here: without accents, in small letters."""
    return " ".join(unidecode(term).lower().split())


def _save(folder: Path, keys: "array[int]", meanings: "array[int]") -> None:
    found = np.frombuffer(keys, dtype=np.uint64)
    order = np.argsort(found, kind="stable")
    np.save(folder / index.KEYS, found[order])
    np.save(folder / index.MEANINGS, np.frombuffer(meanings, dtype=f"u{meanings.itemsize}")[order].astype(np.uint32))


def _write_terms(folder: Path, terms: Path, keys: "array[int]", step: Step) -> None:
    """Each term once into QuickUMLS's own index, by its own writer."""
    _, firsts = np.unique(np.frombuffer(keys, dtype=np.uint64), return_index=True)
    first = np.zeros(len(keys), dtype=bool)
    first[firsts] = True
    step(f"{len(firsts):,} terms to index.")
    (folder / TERMS_DB).mkdir()
    writer = SimstringDBWriter(os.fspath(folder / TERMS_DB))
    with terms.open(encoding="utf-8", newline="\n") as lines:
        for number, (line, wanted) in enumerate(zip(lines, first.tolist(), strict=True), 1):
            if wanted:
                writer.insert(line.rstrip("\n"))
            if number % EVERY == 0:
                step(f"{number:,} of {len(keys):,} names indexed.")
    writer.db.close()


def _move(building: Path, out: Path) -> None:
    old = out.with_name(f"{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    building.rename(out)
    shutil.rmtree(old, ignore_errors=True)
