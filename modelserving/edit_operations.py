"""Edits that turn one text into another: KEEP, DELETE, ADD and STOP. How they are found, carried out and batched."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.checkpoint_members import LARGEST_JSON, json_of
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.translation import translatable
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN, Vocabularies, Vocabulary

if TYPE_CHECKING:
    from nltk.tag.perceptron import PerceptronTagger

# The fewest edits from one text to another, as EditNTS learns them (Dong et al. 2019), and a text with its edits made.
#
# Edits are read from left to right with a pointer at the source's first word: KEEP writes its word and goes on, DELETE
# goes on, ADD writes a word of its own, STOP keeps the rest and ends. There is no substitution.


class Operation(Enum):
    KEEP = "KEEP"
    DELETE = "DELETE"
    ADD = "ADD"
    STOP = "STOP"


class Edit(NamedTuple):
    """An operation; `word` is the word that an ADD writes."""

    operation: Operation
    word: str = ""


KEEP, DELETE, STOP = Edit(Operation.KEEP), Edit(Operation.DELETE), Edit(Operation.STOP)


def oracle_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """The edits with the fewest ADDs and DELETEs; the last of them is a STOP.

    If there are several such, it is the one that keeps words as late as possible and adds words before it deletes
    others, as in the authors' program. Words kept at the end are left to STOP.
    """
    table = edit_distances(source, target)
    edits = []
    i, j = len(source), len(target)
    while i or j:
        if i and j and source[i - 1] == target[j - 1]:
            i, j = i - 1, j - 1
            edits.append(KEEP)
        elif i and (not j or table[i][j] == table[i - 1][j] + 1):
            i -= 1
            edits.append(DELETE)
        else:
            j -= 1
            edits.append(Edit(Operation.ADD, target[j]))
    edits.reverse()
    while edits and edits[-1] == KEEP:
        edits.pop()
    return [*edits, STOP]


def edit_distances(source: Sequence[str], target: Sequence[str]) -> list[list[int]]:
    """The fewest words to add and delete from the first i words of the source to the first j of the target: [i][j]."""
    table = [list(range(len(target) + 1))]
    for number, word in enumerate(source, 1):
        above, row = table[-1], [number]
        for j, other in enumerate(target):
            row.append(above[j] if word == other else 1 + min(row[j], above[j + 1]))
        table.append(row)
    return table


def execute(source: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """The source with the edits carried out. Behind its last word there is nothing to keep or delete.

    Where the edits end, with a STOP or without, the rest of the source is kept.
    """
    written, at = list[str](), 0
    for operation, word in edits:
        if operation is Operation.STOP:
            break
        if operation is Operation.ADD:
            written.append(word)
            continue
        if operation is Operation.KEEP:
            written.extend(source[at : at + 1])
        at += 1
    return written + list(source[at:])


# Edits as the ids that a network writes: an ADD is its word's id, STOP is END, and two ids beyond the vocabulary.

OPERATIONS = 2  # KEEP and DELETE, which stand beyond the vocabulary's words


def keep_id(known: int) -> int:
    """The id of KEEP beside so many known words."""
    return known


def delete_id(known: int) -> int:
    """The id of DELETE beside so many known words."""
    return known + 1


def label_ids(edits: Iterable[Edit], words: Vocabulary) -> list[int]:
    """The ids of the edits before STOP: END stands behind each row of a batch."""
    operations = {Operation.KEEP: keep_id(len(words)), Operation.DELETE: delete_id(len(words))}
    found = []
    for operation, word in edits:
        if operation is Operation.STOP:
            break
        found.append(operations[operation] if operation in operations else words.ids([word])[0])
    return found


def edits_of(labels: Iterable[int], words: Vocabulary) -> list[Edit]:
    """The edits that the ids stand for, without STOP."""
    operations = {keep_id(len(words)): KEEP, delete_id(len(words)): DELETE}
    return [operations.get(label) or Edit(Operation.ADD, words.words[label]) for label in labels]


def label_weights(
    rows: Iterable[Sequence[int] | NDArray[np.int32]], known: int, balance: bool, add: float, keep: float, delete: float
) -> NDArray[np.float32]:
    """The weight of each label's loss (known + 2,): 0 for words that are not known, as in the authors' program.

    Args:
        rows: The labels of each pair, without STOP.
        known: Words of the vocabulary.
        balance: Whether each kind of edit counts by the inverse of its frequency, 1 in the mean over all labels.
        add: The further weight of an ADD; `keep` and `delete` likewise. A STOP counts 1.
    """
    found = np.full(known + OPERATIONS, add, dtype=np.float64)
    found[[keep_id(known), delete_id(known), END]] = keep, delete, 1.0
    if balance:
        kinds = np.zeros(known + OPERATIONS, dtype=np.int64)  # ADD
        kinds[[keep_id(known), delete_id(known), END]] = 1, 2, 3
        labels, pairs = np.zeros(known + OPERATIONS, dtype=np.int64), 0
        for row in rows:
            np.add.at(labels, row, 1)
            pairs += 1
        labels[[PAD, UNKNOWN, BEGIN]] = 0
        labels[END] = pairs
        times = np.bincount(kinds, weights=labels, minlength=4)
        there = times > 0
        shares = np.divide(times.sum(), there.sum() * times, out=np.ones(4), where=there)
        found *= shares[kinds]
    found[[PAD, UNKNOWN, BEGIN]] = 0.0
    return found.astype(np.float32)


# Parts of speech by NLTK's averaged perceptron, with weights that a lab brings itself: files of JSON, never a pickle.
#
# EditNTS' authors tagged with NLTK's `pos_tag`, whose weights are `averaged_perceptron_tagger_eng` of NLTK's data.

FILE = "tagger.json"
PARTS = ("weights", "tagdict", "classes")


@dataclass(frozen=True)
class PosTagger:
    """`weights` of each feature for its classes, the words that always have one class, and the classes."""

    weights: dict[str, dict[str, float]]
    tagdict: dict[str, str]
    classes: tuple[str, ...]

    @cached_property
    def _tagger(self) -> "PerceptronTagger":
        from nltk.tag.perceptron import PerceptronTagger

        tagger = PerceptronTagger(load=False)
        tagger.model.weights, tagger.tagdict = self.weights, self.tagdict
        tagger.classes = tagger.model.classes = set(self.classes)
        return tagger

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The classes as a network knows them."""
        return Vocabulary(self.classes)

    def tags(self, words: Sequence[str]) -> list[str]:
        """The class of each word of a text."""
        return [tag for _, tag in self._tagger.tag(list(words))]

    def ids(self, words: Sequence[str]) -> list[int]:
        return self.vocabulary.ids(self.tags(words))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps({part: getattr(self, part) for part in PARTS}, ensure_ascii=False), encoding="utf-8")


@dataclass(frozen=True)
class TaggedVocabularies(Vocabularies):
    """The words of a model that reads parts of speech beside them."""

    tagger: PosTagger


def tagger_below_models(name: str) -> PosTagger:
    """The tagger of a folder below RESTYLE_MODELS as NLTK's data has it: three files, `*.weights.json` and so on."""
    where = "tagger"
    folder = local_path(name, where=where)
    if folder is None or not folder.is_dir():
        raise UserError(missing_resource_message(translatable("folder of a part-of-speech tagger"), name), where=where)
    found = {}
    for part in PARTS:
        files = sorted(folder.glob(f"*.{part}.json"))
        if len(files) != 1:
            raise UserError(
                "Expected one file *.{part}.json in the folder '{name}', found {files_count}.",
                part=part,
                name=name,
                files_count=len(files),
                where=where,
            )
        found[part] = _json(files[0])
    return _checked(found, where)


def read(path: Path) -> PosTagger:
    """The tagger of a checkpoint's file; a UserError where it is missing or no tagger."""
    found = _json(path)
    return _checked(found if isinstance(found, dict) else {}, path.name)


def _json(path: Path) -> Any:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_JSON else b""
    except OSError:
        raise UserError("The file of the part-of-speech tagger is missing.", where=path.name) from None
    return json_of(data, path.name, finite=True)


def _checked(found: dict[str, Any], where: str) -> PosTagger:
    match [found.get(part) for part in PARTS]:
        case [dict(weights), dict(tagdict), list(classes)] if (
            classes
            and all(isinstance(one, str) for one in classes)
            and _are(tagdict.values(), known := set(classes))
            and all(isinstance(row, dict) and _are(row, known) and _numbers(row) for row in weights.values())
        ):
            return PosTagger(weights, tagdict, tuple(sorted(known)))
    raise UserError("These are not the weights, words and classes of a perceptron tagger.", where=where)


def _are(tags: Iterable[Any], known: set[str]) -> bool:
    return all(isinstance(tag, str) and tag in known for tag in tags)


def _numbers(row: dict[str, Any]) -> bool:
    return all(isinstance(weight, int | float) for weight in row.values())


# Pairs of texts with the edits between them, as ids on disk and as batches.
