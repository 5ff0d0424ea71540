"""Whoever reads a format runs in a process of its own; a module that begins to parse files is noticed here."""

import re
import subprocess
from functools import partial
from pathlib import Path

import pytest
from support import confined_work

from corpora.formats import FORMATS
from foundation.confined import confined, confined_items

ROOT = Path(__file__).parents[3]
LIBRARIES = re.compile(
    r"^\s*(?:import|from) (?:zipfile|gzip|bz2|lzma|tarfile|tomllib|python_calamine|pyarrow|xml|lxml|openpyxl)\b"
    r"|^\s*(?:import|from) (?:PIL|pypdf|yaml)\b|\bcsv\.(?:reader|DictReader)\(",
    re.MULTILINE,
)
BESIDE = {
    "annotation.gold.archive": "gold_files asks for it",
    "corpora.formats.parquet": "an entry of FORMATS",
    "corpora.formats.pubmed_xml": "an entry of FORMATS",
    "corpora.gold_records": "of an entry of FORMATS",
    "study_file.parser.toml_file": "of parse_study_file",
    "corpora.table_parser.table_recognition": "of understand",
    "corpora.table_parser.delimited": "of understand",
    "corpora.table_parser.opening": "of understand",
    "corpora.table_parser.quoting": "of understand",
    "corpora.table_parser.sheets": "of understand",
    "corpora.tabular_files": "of an entry of FORMATS, and of understand",
    "corpora.text_files.zip_members": "of all that unpack, and of the archive of a study",
    "modelserving.training.checkpoint": "import_checkpoint asks for it",
}
OTHERWISE = {
    "backup.archive": "a backup of the operator's own",
    "corpora.forms.studies": "writes an archive",
    "corpora.knowledge.formality": "a folder that the operator trained",
    "corpora.text_files.zip_stream": "writes an archive",
    "evaluation.learned_scorers.estimators": "a file of the operator's",
    "evaluation.learned_scorers.word_vectors": "a file of the operator's",
    "evaluation.metrics.grammaticality": "a table of ours",
    "foundation.project": "a file of ours",
    "integrations.hugging_face.pulled": "writes an archive",
    "integrations.mturk.service": "escapes a text",
    "modelserving.training.checkpoint": "writes an archive",
    "modelserving.packaged_models": "a wheel whose digest is known",
    "modelserving.training_runs.execution": "an archive of ours",
}


def parsing() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rooms = ("platform/", "annotation/", "evaluation/", "modelserving/")
    paths = [path for path in listed.splitlines() if path.startswith(rooms)]
    found = {path for path in paths if (ROOT / path).exists() and LIBRARIES.search((ROOT / path).read_text())}
    return {path.removeprefix("platform/").removesuffix(".py").replace("/", ".") for path in found}


def test_each_module_that_parses_is_known_and_where_it_runs() -> None:
    assert parsing() == BESIDE.keys() | OTHERWISE.keys()


@pytest.mark.parametrize("module", BESIDE)
def test_it_brings_nothing_of_the_web_along(module: str) -> None:
    assert confined(confined_work.imported, module) == []


@pytest.mark.parametrize("name", FORMATS.names())
def test_an_entry_of_formats_reads_beside(name: str) -> None:
    form = FORMATS[name]
    for field in ("read", "rows"):
        if (reads := getattr(form, field, None)) is not None:
            assert isinstance(reads, partial)
            assert reads.func in (confined, confined_items)
            assert confined(confined_work.imported, reads.args[0].__module__) == []
