"""The fields of a study, of its splits and samples, each declared once: form, API and study file are made from them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.fields import email_option
from corpora.models import Sentence, Study
from corpora.models.membership import STUDY_ROLES
from corpora.selection_rules import SELECTIONS
from foundation.errors import UserError
from foundation.options import option
from foundation.translation import translatable

MOST_SEED = 2**31 - 1
MOST_WORDS = 20_000
WHEN_MADE = "when made"


def seed_option() -> Any:
    """The seed that something is drawn by."""
    return option(1, "The same seed gives the same sample.", label="Seed", low=0, high=MOST_SEED)


@dataclass(frozen=True)
class MemberFields:
    """The fields that `invite_member` takes; `set_member_role` takes the role."""

    email: str = email_option()
    role: str = option(
        "", "Researchers set up and run the study. Reviewers see the study and decide on answers. "
        "Annotators see only the work of campaigns for their role.",
        label="Role in this study", choices=STUDY_ROLES, required=True,
    )  # fmt: skip


@dataclass(frozen=True)
class StudyFields:
    """The fields that a study is made with and that can be changed later."""

    title: str = option("", "", label="Title", characters=300, required=True, clean=str.strip)
    styles: tuple[str, ...] = option(
        (), "Two or more, with commas between them, such as: informal, formal", label="Styles",
        characters=60, high=100, required=True,
    )  # fmt: skip
    language: str = option(
        "", "Its tag, such as en, pt-BR or zh-Hans. Screen readers and spell-checkers go by it.",
        label="Language of the texts", characters=40, clean=str.strip,
    )  # fmt: skip
    license: str = option("", "Such as CC BY-SA 4.0.", label="Licence of the texts", characters=200, clean=str.strip)
    description: str = option("", "", label="Description", characters=20_000, lines=True, clean=str.strip)


@dataclass(frozen=True)
class NewStudyFields(StudyFields):
    """The fields that `create_study` takes."""

    slug: str = option(
        "",
        "For its address and the command line: lower-case letters, digits and hyphens. "
        "Left empty, it is made from the title.",
        label="Short name", characters=80, required=True, clean=str.strip, changes=WHEN_MADE,
    )  # fmt: skip


@dataclass(frozen=True)
class EditedStudyFields(StudyFields):
    """The fields that `edit_study` takes: those of a study that is there, and the rules for access to its texts."""

    style_descriptions: object = option(
        None, "One line per style, shown on the work pages: formal = as in a letter",
        label="Descriptions of the styles", table=dict, characters=300,
    )  # fmt: skip
    terms: str = option(
        "", "Everybody must accept the terms before they see the texts. If you change the terms, people must "
        "accept them again.",
        label="Terms", characters=50_000, lines=True, clean=str.strip,
    )  # fmt: skip
    required_credentials: tuple[str, ...] = option(
        (), "Short names with commas between them, such as: mimic-iii. People without all of them see no texts.",
        label="Required credentials", characters=60,
    )  # fmt: skip
    restricted: bool = option(False, "The texts are sent to no outside service.", label="Restricted texts")
    unit: str = option(
        Study.Unit.SENTENCE.value, "Each sentence, or all sentences of a document together.",
        label="Unit of judgement and scoring", choices=Study.Unit.choices,
    )  # fmt: skip
    style_words: tuple[str, ...] = option(
        (), "Words with commas between them. Comparisons of content leave them out.", label="Style words",
        characters=60, high=MOST_WORDS,
    )  # fmt: skip
    poles: object = option(
        None, "Other names that scales or metrics use for the styles: formal = letter, informal = chat",
        label="Ends of scales", table=dict, characters=60,
    )  # fmt: skip


def system_name() -> Any:
    """The name of a system whose outputs come in."""
    return option("", "", label="Name of the system", characters=100, required=True, clean=str.strip)


def _run_options(given: Mapping[str, Any]) -> dict[str, float | str]:
    """Numbers and texts by name."""
    for name, value in given.items():
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not number and not (isinstance(value, str) and len(value) <= 2000):
            raise UserError("Expected a number or a short text.", where=f"options.{name}")
    return dict(given)


@dataclass(frozen=True)
class SystemFields:
    """The fields that `add_system` takes beside the outputs."""

    name: str = system_name()
    human: bool = option(False, "Whether these are a person's rewrites.")
    missing: bool = option(False, "Whether some sources may have no text.")
    family: str = option("", "The model that several systems are runs of.", characters=100, clean=str.strip)
    seed: int | None = option(None, "The run's seed.", low=0, high=MOST_SEED)
    options: object = option(
        None, 'The options that set the run apart, as JSON: {"encoder": 64, "style": 32}.', table=_run_options
    )


@dataclass(frozen=True)
class DocumentFields:
    """The question, topic and domain of documents whose file does not give them."""

    question: str = option(
        "", "Use this if all documents of the file answer one question that the file does not name.",
        label="Code of the question", characters=60, clean=str.strip,
    )  # fmt: skip
    question_text: str = option("", "", label="Its text, if it is new", characters=2000, clean=str.strip)
    topic: str = option("", "", label="Topic", characters=100, clean=str.strip)
    domain: str = option("", "", label="Domain", characters=100, clean=str.strip)
    hold_flagged: bool = option(
        True, "Nobody gets these sentences to work on until you decide on them.",
        label="Hold back sentences with likely identifiers",
    )  # fmt: skip


@dataclass(frozen=True)
class SplitFields:
    """How documents and sentences are shared out to train, tune and test, in per cent."""

    rule: str = option(
        "document", "", label="Rule", required=True,
        choices=[
            (
                "document",
                translatable("By document: sentences follow their document, versions of one text stay together"),
            ),
            ("question", translatable("By question: no question is in two splits")),
            ("random", translatable("At random: each sentence by itself")),
        ],
    )  # fmt: skip
    train: float = option(70.0, "", label="Train, per cent", low=0, high=100)
    tune: float = option(15.0, "", label="Tune, per cent", low=0, high=100)
    test: float = option(15.0, "", label="Test, per cent", low=0, high=100)
    seed: int = seed_option()


@dataclass(frozen=True)
class SampleFields:
    """How many groups are drawn for annotation."""

    count: int = option(1, "", label="Number of groups", low=1, high=10_000_000, required=True)
    seed: int = seed_option()
    replace: bool = option(False, "", label="Replace the earlier sample")


@dataclass(frozen=True)
class SelectionFields:
    """The selection of sources among sentences of documents: the rule, the documents, and how many."""

    rule: str = option("everything", "", label="Rule", choices=lambda: SELECTIONS.names())
    domain: str = option("", "", label="Domain", characters=100, clean=str.strip)
    topic: str = option("", "", label="Topic", characters=100, clean=str.strip)
    question: str = option("", "", label="Code of the question", characters=60, clean=str.strip)
    chosen: bool = option(False, "", label="Only documents that were chosen")
    sample: int | None = option(
        None, "Left empty, all sentences that the rule keeps.", label="Sample size", low=1, high=100_000_000
    )
    seed: int = seed_option()


@dataclass(frozen=True)
class NewSelectionFields(SelectionFields):
    """The criteria of a selection, with the split of the sentences whose document has none."""

    split: str = option(
        Sentence.Split.TEST.value, "Used for documents without their own.", label="Split",
        choices=Sentence.Split.choices,
    )  # fmt: skip
