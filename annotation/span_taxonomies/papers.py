"""The taxonomies of the papers, in the order of their names."""

from annotation.span_taxonomies._base import SIDES, Kind, Severity, Taxonomy
from foundation.papers import BASU, FREITAG, HEINEMAN, KOCMI, ONDOV

MINOR, MAJOR = Severity("Minor", "Minor"), Severity("Major", "Major")
BOTH = SIDES
FREE = ("Source issue", "Accuracy/Creative reinterpretation")
IMPACT = (Severity("1", "A little"), Severity("2", "Somewhat"), Severity("3", "A lot"))


def _group(group: str, *names: str) -> tuple[Kind, ...]:
    return tuple(Kind(f"{group}/{name}") for name in names)


ENTRIES = {
    # Error Span Annotation: a severity for each span, then a score of the whole. Omissions are marked on the
    # source. Weights as for MQM without kinds.
    "esa": Taxonomy("ESA", severities=(MINOR, MAJOR), weights={"Minor": 1, "Major": 5}, paper=KOCMI),
    # The operations that Med-EASi's experts marked in a pair of texts; a deletion stands in the source alone.
    "med_easi": Taxonomy(
        "Med-EASi",
        kinds=(Kind("Elaboration", BOTH), Kind("Replacement", BOTH), Kind("Deletion", ("source",)), Kind("Insertion")),
        paper=BASU,
    ),
    # The error hierarchy of the expert evaluations of WMT, as of 2023. The weights are those of Freitag et
    # al.; a source issue and a creative reinterpretation cost nothing, as in the published scores of WMT 2023.
    "mqm": Taxonomy(
        "MQM",
        kinds=(
            Kind("Accuracy/Addition"),
            Kind("Accuracy/Omission", BOTH),
            *_group("Accuracy", "Creative reinterpretation", "Mistranslation", "Source language fragment"),
            *_group("Fluency", "Character encoding", "Grammar", "Inconsistency", "Punctuation", "Register", "Spelling"),
            *_group(
                "Locale convention",
                *("Address format", "Currency format", "Date format", "Name format", "Telephone format", "Time format"),
            ),
            *_group("Style", "Bad sentence structure", "Unnatural or awkward"),
            *_group("Terminology", "Inappropriate for context", "Inconsistent"),
            Kind("Non-translation!"),
            Kind("Source issue", BOTH),
            Kind("Other"),
        ),
        severities=(Severity("Neutral", "Neutral"), MINOR, MAJOR),
        weights={
            "Neutral": 0,
            "Minor": 1,
            "Major": 5,
            "Major/Non-translation!": 25,
            "Minor/Fluency/Punctuation": 0.1,
            **{f"{step}/{kind}": 0 for kind in FREE for step in ("Minor", "Major")},
        },
        paper=FREITAG,
    ),
    # Five ways with a term that readers do not know, of the second task of TREC's PLABA track of 2024.
    "plaba": Taxonomy(
        "PLABA",
        kinds=tuple(Kind(name, ("source",)) for name in ("Substitute", "Explain", "Generalize", "Exemplify", "Omit")),
        paper=ONDOV,
    ),
    # Edits of a simplification: those that help with their efficacy, those that harm with their severity. An edit of
    # two spans is a mark on each side.
    "salsa": Taxonomy(
        "SALSA",
        kinds=(
            Kind("Conceptual/Elaboration"),
            Kind("Conceptual/Generalization", ("source",)),
            Kind("Lexical/Paraphrase", BOTH),
            *(Kind(f"Syntax/{name}", BOTH) for name in ("Word-level reorder", "Component-level reorder")),
            *_group("Syntax", "Sentence split", "Structural change"),
            Kind("Trivial/Deletion", ("source",)),
            Kind("Trivial/Insertion"),
            Kind("Trivial/Paraphrase", BOTH),
            Kind("Conceptual error/Bad deletion", ("source",)),
            *_group("Conceptual error", "Contradiction", "Coreference", "Factual error", "Irrelevant", "Repetition"),
            *_group("Lexical error", "Complex wording", "Information rewrite", "Unnecessary insertion"),
            *_group("Syntax error", "Bad reorder", "Bad split", "Bad structure"),
            Kind("Grammar error"),
        ),
        severities=IMPACT,
        paper=HEINEMAN,
    ),
}
