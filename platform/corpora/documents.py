"""Documents: prepared for import, matched with their other versions, and as pages show them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.knowledge import identifiers, sentences
from corpora.knowledge.identifiers import KINDS
from corpora.models import Document, DocumentSentence, Sentence, Study
from corpora.splits import SPLITS
from foundation.errors import UserError

# Documents on their way in: split into sentences and looked through for identifiers before the database sees them.
#
# Ready documents wait in a file, so that a large import fills no memory and its transaction is short.

LONGEST = {"code": 100, "topic": 100, "domain": 100}
LONGEST_OF_QUESTION = {"code": 60, "type": 1, "focus": 200, "kind": 100, "topic": 100}
LONGEST_TITLE, LONGEST_SECTION, LONGEST_CODE = 500, 200, 40


@dataclass
class PreparedDocuments:
    """Documents that can be written: their counts, and by (style, code) the lines they begin on."""

    origin: str
    documents: int = 0
    sentences: int = 0
    flagged: int = 0
    empty: int = 0
    codes: dict[tuple[str, str], int] = field(default_factory=dict)
    spool: IO[bytes] = field(default_factory=TemporaryFile)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.spool.seek(0)
        for line in self.spool:
            yield orjson.loads(line)


def prepare_documents(
    documents: Iterable[RawDocument], *, styles: Iterable[str], style: str = "", origin: str = "", language: str = "",
    on_the_way: Callable[[], object] | None = None,
) -> PreparedDocuments:  # fmt: skip
    """Split, flag and check the documents; `style` holds for those that say none. Documents without text are counted
    and left out. `language` is that of their texts, English where it is "". A style that is none of `styles`, a code
    twice, or a text too long is a UserError with its line."""
    ready, known = PreparedDocuments(origin), set(styles)
    for document in documents:
        named = replace(document, style=document.style or style)
        _check(named, known, ready)
        rows = list(_sentences(named, language))
        if rows:
            _keep(ready, named, rows)
        else:
            ready.empty += 1
        if on_the_way:
            on_the_way()
    return ready


def with_defaults(
    documents: Iterable[RawDocument], *, question: RawQuestion | None = None, topic: str = "", domain: str = ""
) -> Iterator[RawDocument]:
    """The documents, each with those of these values that it lacks."""
    for one in documents:
        yield replace(
            one, question=one.question or question, topic=one.topic or topic, domain=one.domain or domain
        )  # fmt: skip


def _check(document: RawDocument, styles: set[str], ready: PreparedDocuments) -> None:
    where = f"{ready.origin}, line {document.line}"
    if document.style not in styles:
        named = f"'{document.style}' is not among the study's styles" if document.style else "the document has no style"
        raise UserError("{named}; they are {styles}.", named=named, styles=", ".join(sorted(styles)), where=where)
    _check_lengths(document, where)
    key = (document.style, document.code)
    if document.code and ready.codes.setdefault(key, document.line) != document.line:
        raise UserError(
            "the code '{code}' occurs twice; the first is on line {codes}.",
            code=document.code,
            codes=ready.codes[key],
            where=where,
        )


def _check_lengths(document: RawDocument, where: str) -> None:
    found = [(name, getattr(document, name), most) for name, most in LONGEST.items()]
    if document.question:
        found += [(f"question's {name}", getattr(document.question, name), most)
                  for name, most in LONGEST_OF_QUESTION.items()]  # fmt: skip
    found += [("section's title", part.title, LONGEST_SECTION) for part in document.sections]
    found += [("code of the subject", code, LONGEST_CODE) for code in document.codes]
    for name, text, most in found:
        if len(text) > most:
            raise UserError(
                "the {name} '{text}...' is longer than {most} characters.",
                name=name,
                text=text[:30],
                most=most,
                where=where,
            )
        if "\0" in text:
            raise UserError("the {name} holds a NUL character.", name=name, where=where)


def _sentences(document: RawDocument, language: str) -> Iterator[tuple[str, str, str, list[dict[str, Any]]]]:
    """(section, text, translation, flags) of each sentence; empty ones are left out."""
    for part in document.sections:
        for text, translation in _texts(part, language):
            if text:
                yield part.title, text, translation, [flag.json() for flag in identifiers.find(text)]


def _texts(part: RawSection, language: str) -> Iterable[tuple[str, str]]:
    if isinstance(part.text, str):
        return ((text, "") for text in sentences.split(part.text, language or "en"))
    return zip(part.text, part.translations or [""] * len(part.text), strict=True)


def _keep(ready: PreparedDocuments, document: RawDocument, rows: list[Any]) -> None:
    question = document.question
    entry = {
        "style": document.style, "code": document.code, "title": document.title[:LONGEST_TITLE],
        "topic": document.topic, "domain": document.domain, "codes": document.codes,
        "question": question and {name: getattr(question, name) for name in ("text", *LONGEST_OF_QUESTION)},
        "sentences": rows,
    }  # fmt: skip
    ready.spool.write(orjson.dumps(entry) + b"\n")
    ready.documents += 1
    ready.sentences += len(rows)
    ready.flagged += sum(bool(flags) for *_, flags in rows)


# Queries of a study's documents for the pages and the API, few for each.


@dataclass(frozen=True)
class Bar:
    """A row of a chart: its label, its count, and its share of all in per cent."""

    label: str
    count: int
    share: float


def bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Rows in the order given, with their shares."""
    listed = list(counts)
    total = sum(count for _, count in listed) or 1
    return [Bar(str(label), count, round(100 * count / total, 1)) for label, count in listed]


def documents_of(study: Study, asked: Any) -> QuerySet[Document]:
    """The study's documents in order, those that the filters in `asked` (q, style, topic, question, split, flagged)
    leave."""
    rows = study.documents.select_related("question").order_by("number")
    if any("\0" in str(asked.get(name, "")) for name in ("q", "style", "topic", "question", "split")):
        return rows.none()  # no text in PostgreSQL holds it
    if text := asked.get("q", "").strip():
        rows = rows.filter(Q(title__icontains=text) | Q(code=text) | Q(codes__contains=[text]))
    for name, path in (("style", "style"), ("topic", "topic"), ("question", "question__code"), ("split", "split")):
        if value := asked.get(name, ""):
            rows = rows.filter(**{path: value})
    if asked.get("flagged"):
        rows = rows.filter(Exists(DocumentSentence.objects.filter(document=OuterRef("pk"), held=True)))
    return rows


def with_counts(documents: Iterable[Document]) -> list[Document]:
    """The documents, each with `sentence_count`, `held_count` and `dropped_count`."""
    listed = list(documents)
    counted = DocumentSentence.objects.filter(document__in=[one.pk for one in listed]).values("document")
    rows = counted.annotate(
        all=Count("pk"), held=Count("pk", filter=Q(held=True)), dropped=Count("pk", filter=Q(dropped=True))
    )
    counts = {row["document"]: row for row in rows.order_by()}
    for one in listed:
        row = counts.get(one.pk, {"all": 0, "held": 0, "dropped": 0})
        one.sentence_count, one.held_count, one.dropped_count = row["all"], row["held"], row["dropped"]
    return listed


def held_of(study: Study, *, kind: str = "", only: bool = False) -> QuerySet[DocumentSentence]:
    """The held sentences in order: with a flag of `kind`, or (`only`) with flags of no other kind."""
    rows = DocumentSentence.objects.filter(document__study=study, held=True).select_related("document")
    if kind:
        rows = rows.filter(flags__contains=[{"kind": kind}])
        for other in KINDS:
            if only and other != kind:
                rows = rows.exclude(flags__contains=[{"kind": other}])
    return rows.order_by("document__number", "number")


def held_by_kind(study: Study) -> list[tuple[str, int]]:
    """How many held sentences have flags of each kind; those with several kinds count for each."""
    counts = {kind: Count("pk", filter=Q(flags__contains=[{"kind": kind}])) for kind in KINDS}
    found = DocumentSentence.objects.filter(document__study=study, held=True).aggregate(**counts)
    return [(kind, found[kind]) for kind in KINDS if found[kind]]


def pieces(text: str, flags: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """The text cut at its flags: (piece, kind), with an empty kind for a piece without a flag."""
    cut, at = [], 0
    for flag in sorted(identifiers.whole_names(text, flags), key=lambda flag: flag["start"]):
        if flag["start"] >= at:
            cut += [(text[at : flag["start"]], ""), (text[flag["start"] : flag["end"]], flag["kind"])]
            at = flag["end"]
    return [(piece, kind) for piece, kind in [*cut, (text[at:], "")] if piece]


def split_counts(study: Study) -> dict[str, list[Bar]]:
    """How many documents and source sentences are in which split."""
    documents = dict(study.documents.values_list("split").annotate(n=Count("pk")).order_by())
    sentences = Sentence.objects.filter(direction__study=study)
    own = dict(sentences.values_list("split").annotate(n=Count("pk")).order_by())
    return {
        "documents": bars((name or "none", documents.get(name, 0)) for name in (*SPLITS, "")),
        "sentences": bars((name, own.get(name, 0)) for name in SPLITS),
    }


def sections_of(study: Study, most: int = 300) -> list[dict[str, Any]]:
    """The section titles with style, count of documents and element, most frequent first."""
    elements = {(style, section): element for style, section, element
                in study.section_elements.values_list("style", "section", "element")}  # fmt: skip
    rows = (
        DocumentSentence.objects.filter(document__study=study)
        .exclude(section="")
        .values("document__style", "section")
        .annotate(documents=Count("document", distinct=True))
        .order_by("-documents", "section", "document__style")
    )
    return [
        {"style": row["document__style"], "section": row["section"], "documents": row["documents"],
         "element": elements.get((row["document__style"], row["section"]), "")}
        for row in rows[:most]
    ]  # fmt: skip


# Matching documents of two styles that are versions of one text, and the elements of their sections (MSD, section 3.1).

# The usual elements of section titles, in small letters, as a first mapping that the researcher edits.
USUAL_ELEMENTS = {
    "Symptoms": ("symptoms", "signs", "symptoms and signs", "signs and symptoms", "clinical presentation",
                 "clinical features", "manifestations"),
    "Diagnosis": ("diagnosis", "evaluation", "testing", "tests", "screening", "differential diagnosis"),
    "Treatment": ("treatment", "treatments", "therapy", "management", "drugs", "surgery"),
    "Prognosis": ("prognosis", "outlook", "course", "complications"),
    "Causes": ("causes", "cause", "etiology", "aetiology", "risk factors"),
    "Pathophysiology": ("pathophysiology", "pathogenesis", "pathology"),
    "Prevention": ("prevention", "prophylaxis", "vaccination"),
    "Epidemiology": ("epidemiology", "incidence"),
    "Classification": ("classification", "types", "staging"),
}  # fmt: skip
_ELEMENT = {title: element for element, titles in USUAL_ELEMENTS.items() for title in titles}


@dataclass(frozen=True)
class Version:
    """A document as it is matched: its key, title and subject codes (ICD)."""

    pk: int
    title: str
    codes: frozenset[str]


@dataclass(frozen=True)
class Matched:
    """The pairs, and the keys of those that fit nothing or more than one."""

    pairs: list[tuple[int, int]]
    unlinked: list[int]
    ambiguous: list[int]


def match_versions(sources: Iterable[Version], targets: Iterable[Version]) -> Matched:
    """Pairs of equal title (case aside) that share a code where both have codes.

    Among several with one title, those that share a code are paired; where more than one is left on either side, none
    is linked and all of them are ambiguous.
    """
    by_title: dict[str, tuple[list[Version], list[Version]]] = defaultdict(lambda: ([], []))
    for side, versions in enumerate((sources, targets)):
        for version in versions:
            by_title[_title(version)][side].append(version)
    pairs, unlinked, ambiguous = [], list[int](), list[int]()
    for title, (left, right) in by_title.items():
        onward = {one.pk: _fitting(one, right) if title else [] for one in left}
        back = {one.pk: _fitting(one, left) if title else [] for one in right}
        found = [(pk, only[0]) for pk, only in onward.items() if len(only) == 1 and back[only[0]] == [pk]]
        linked = {pk for pair in found for pk in pair}
        pairs += found
        for pk, fitting in (onward | back).items():
            if pk not in linked:
                (ambiguous if fitting else unlinked).append(pk)
    return Matched(pairs, unlinked, ambiguous)


def _title(one: Version) -> str:
    return _folded(one.title)


def _fitting(one: Version, others: Iterable[Version]) -> list[int]:
    """Those that share a code; where none does, those that have no codes to compare."""
    others = list(others)
    sharing = [other.pk for other in others if one.codes & other.codes]
    return sharing or [other.pk for other in others if not (one.codes and other.codes)]


def usual_element(section: str) -> str:
    """The medical element that a section title usually stands for; "" where that is not known."""
    return _ELEMENT.get(_folded(section).rstrip(": "), "")


def _folded(title: str) -> str:
    """A title as it is matched: without capitals and spaces, which typesetters choose."""
    return " ".join(title.casefold().split())
