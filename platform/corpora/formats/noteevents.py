"""Notes of MIMIC-III: NOTEEVENTS.csv, of which MedLane takes three sections.

A document is a note: its code is ROW_ID, its title CATEGORY. A note that holds none of the sections is a document
without text, which the import counts and leaves out; notes marked as errors (ISERROR) are passed over.
"""

from collections.abc import Iterator, Mapping

from corpora.formats._base import DocumentFormat, RawDocument, RawSection
from corpora.knowledge.notes import sections
from corpora.tabular_files import named_rows
from corpora.text_files.decoding import TextFile
from foundation.papers import Paper

REQUIRED = ("ROW_ID", "CATEGORY", "TEXT")


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The notes of the category that is asked for; an empty category is all of them."""
    wanted = options["category"].strip().casefold()
    for line, row in named_rows(file, REQUIRED, ("ISERROR",), others=True):
        category = row["CATEGORY"].strip()
        if row.get("ISERROR", "").strip() == "1" or (wanted and category.casefold() != wanted):
            continue
        yield RawDocument(
            sections=tuple(
                RawSection(section.name.capitalize(), section.text) for section in sections(row["TEXT"]) if section.name
            ),
            code=row["ROW_ID"].strip(),
            title=category,
            line=line,
        )


FORMAT = DocumentFormat(
    "MIMIC-III notes",
    "NOTEEVENTS.csv: the present illness and the two summaries of the hospital course.",
    (".csv",),
    paper=Paper(
        "Johnson et al.", 2016, "MIMIC-III, a freely accessible critical care database",
        "https://doi.org/10.1038/sdata.2016.35",
    ),
    read=read,
    options={"category": "Discharge summary"},
)  # fmt: skip
