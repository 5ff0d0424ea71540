"""A release as programs read it: Croissant 1.1 with its responsible-AI fields, and CITATION.cff (CFF 1.2.0).

Croissant: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html and .../croissant-rai-spec.html. The soak
has mlcroissant read the rows of a release by it. Both files name no person: who wants to be named as an author says so
where the release is published. A field whose answer nobody gave here is left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

import orjson

from foundation.project import version

ASKED = "If you use these data, please cite them."
CROISSANT = "http://mlcommons.org/croissant/1.1"
RAI = "http://mlcommons.org/croissant/RAI/1.0"
CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape", "citeAs": "cr:citeAs",
    "column": "cr:column", "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "name": {"@container": "@language"}, "parentField": "cr:parentField", "path": "cr:path",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
"""The context of the specification's first appendix."""
COLUMNS = {
    "kind": "The kind of gold: a rewrite, an aligned pair, an adaptation ...", "source_id": "The source's name here.",
    "source_style": "The style of the source.", "target_style": "The style to write in.",
    "split": "train, tune or test.", "domain": "The domain of the source.",
    "guideline_version": "The version of the guideline that it was written under.",
    "revision": "How often the work was changed, from 1.", "campaign": "The campaign that made it.",
    "study": "The study.", "license": "The licence of the row.",
}  # fmt: skip
TEXTS = {"source": "The text that was worked on.", "text": "The text that was made of it.",
         "product": "All that was made, as JSON."}  # fmt: skip
WHOLE = ("revision",)
READ = {"gold.parquet": "application/x-parquet", "gold.csv": "text/csv", "gold.jsonl": "application/jsonlines"}
"""The files whose rows are described, in the order of choice, with the media types that Croissant's programs know."""
SPDX = ("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0",
        "CC-BY-3.0", "CC-BY-SA-3.0", "MIT", "Apache-2.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0", "GPL-3.0-only",
        "BSD-3-Clause")  # fmt: skip


class OneFile(Protocol):
    """A file of a release, on the disk or in the database."""

    @property
    def name(self) -> str: ...
    @property
    def media_type(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def sha256(self) -> str: ...


@dataclass(frozen=True)
class Described:
    """A release as both files speak of it; `sheet` are the parts of its datasheet by their heads."""

    slug: str
    title: str
    description: str
    number: int
    day: date
    license: str
    language: str
    styles: Sequence[str]
    url: str
    counts: Mapping[str, Any]
    per_item: Sequence[int]
    files: Sequence[OneFile]
    sheet: Mapping[str, str]

    @property
    def name(self) -> str:
        return f"{self.title}, release {self.number}"

    @property
    def authors(self) -> str:
        """All together: no person is named."""
        return f"Contributors of {self.title}"

    @property
    def abstract(self) -> str:
        told = self.description or f"Texts in the styles {', '.join(self.styles)}."
        return f"{' '.join(told.split())} {self.counts['rows']:,} rows of gold from {self.counts['sources']:,} sources."


def spdx_of(license_text: str) -> str:
    """The identifier of SPDX for a licence as people write it, "CC BY 4.0"; "" for another one."""
    plain = re.sub(r"[\W_]+", "", license_text).casefold()
    return next((name for name in SPDX if re.sub(r"\W+", "", name).casefold() == plain), "")


def croissant(release: Described) -> bytes:
    """The file `croissant.json`."""
    described: dict[str, Any] = {
        "@context": CONTEXT, "@type": "sc:Dataset", "name": release.name, "description": release.abstract,
        "conformsTo": [CROISSANT, RAI], "url": release.url, "version": f"{release.number}.0.0",
        "datePublished": release.day.isoformat(), "creator": {"@type": "Organization", "name": release.authors},
        "inLanguage": release.language, "license": _license(release.license),
        "keywords": ["text style transfer", *release.styles], "isLiveDataset": False, "citeAs": bibtex(release),
        **dict(_responsible(release)),
        "distribution": [_file(one) for one in release.files], "recordSet": list(_records(release.files)),
    }  # fmt: skip
    kept = {key: value for key, value in described.items() if value not in ("", [], None)}
    return orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n"


def _license(text: str) -> str:
    known = spdx_of(text)
    return f"https://spdx.org/licenses/{known}.html" if known else text


def bibtex(release: Described) -> str:
    key = re.sub(r"\W+", "", release.slug) + str(release.number)
    title = re.sub(r"[{}\\]", "", release.name)
    return f"@misc{{{key}, title = {{{title}}}, year = {{{release.day.year}}}, url = {{{release.url}}}}}"


def _responsible(release: Described) -> Iterator[tuple[str, Any]]:
    """The fields of responsible AI, from what the datasheet says."""
    sheet = release.sheet
    yield "rai:dataCollection", sheet.get("Facts", "")
    yield "rai:dataCollectionType", "Manual Human Curation" if release.counts["people"] else ""
    yield "rai:dataAnnotationProtocol", sheet.get("How it was made", "")
    yield "rai:dataAnnotationPlatform", f"Restyle {version()}" if release.per_item else ""
    yield "rai:dataAnnotationAnalysis", sheet.get("Agreement", "")
    yield "rai:annotationsPerItem", ", ".join(map(str, sorted(set(release.per_item))))
    yield "rai:annotatorDemographics", sheet.get("Who made it", "")
    yield "rai:personalSensitiveInformation", sheet.get("Likely identifiers", "")
    yield (
        "rai:dataReleaseMaintenancePlan",
        "This release never changes. A correction is a further release that names it.",
    )


def _file(file: OneFile) -> dict[str, str]:
    return {
        "@type": "cr:FileObject", "@id": file.name, "name": file.name, "contentUrl": file.name,
        "contentSize": f"{file.size} B", "encodingFormat": READ.get(file.name, file.media_type.partition(";")[0]),
        "sha256": file.sha256,
    }  # fmt: skip


def _records(files: Sequence[OneFile]) -> Iterator[dict[str, Any]]:
    """The rows of gold, in the first file that a program reads as a table."""
    file = next((name for name in READ if any(one.name == name for one in files)), "")
    if not file:
        return
    columns = COLUMNS if file == "gold.jsonl" else COLUMNS | TEXTS
    yield {
        "@type": "cr:RecordSet", "@id": "gold", "name": "gold", "description": "A row of gold.",
        "field": [
            {
                "@type": "cr:Field", "@id": f"gold/{name}", "name": name, "description": said,
                "dataType": "sc:Integer" if name in WHOLE else "sc:Text",
                "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
            }
            for name, said in columns.items()
        ],
    }  # fmt: skip


def citation(release: Described) -> bytes:
    """The file `CITATION.cff`; JSON strings are strings of YAML too. Its `license` is an identifier of SPDX."""
    told = [f"Licence: {release.license}."] if release.license and not spdx_of(release.license) else []
    lines = [
        ("cff-version", "1.2.0"), ("message", " ".join([ASKED, *told])), ("type", "dataset"),
        ("title", release.name), ("version", str(release.number)), ("date-released", release.day.isoformat()),
        ("url", release.url), ("abstract", release.abstract), ("license", spdx_of(release.license)),
    ]  # fmt: skip
    said = [f"{key}: {_quoted(value)}" for key, value in lines if value]
    return "\n".join([*said, "authors:", f"  - name: {_quoted(release.authors)}", ""]).encode()


def _quoted(text: str) -> str:
    return orjson.dumps(text).decode()
