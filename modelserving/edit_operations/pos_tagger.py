"""Parts of speech by NLTK's averaged perceptron, with weights that a lab brings itself: files of JSON, never a pickle.

EditNTS' authors tagged with NLTK's `pos_tag`, whose weights are `averaged_perceptron_tagger_eng` of NLTK's data.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.checkpoint_members import LARGEST_JSON, json_of
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from modelserving.training.tokenization import Vocabularies
from modelserving.training.vocabulary import Vocabulary

if TYPE_CHECKING:
    from nltk.tag.perceptron import PerceptronTagger

FILE = "tagger.json"
PARTS = ("weights", "tagdict", "classes")


@dataclass(frozen=True)
class PosTagger:
    """`weights` of each feature for the classes it speaks for, words that always have one class, and the classes."""

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
        raise UserError(missing_resource_message("folder of a part-of-speech tagger", name), where=where)
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
