"""The classes of a transfer model, which every entry of modelserving/transfer extends."""

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from foundation.errors import UserError
from foundation.options import NoOptions, Value, validate_options
from foundation.papers import Paper
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData

# The most length of a text that a kind of model is trained on, and how its length is counted.

Lengths = Callable[[Sequence[str]], Sequence[int]]


@dataclass(frozen=True)
class LengthLimit:
    """The most units (words, tokens) of a source and of a target.

    Longer ones are left out of the training, or cut off there (`cuts`). `lengths` counts the units of texts. With
    `at_least` it may count fewer than there will be (words, where the training learns subwords), so texts that it
    finds too long certainly are. With `tune` the tune set is measured as well. A `prefix` stands before each source.
    With `together` source and target of a pair are measured as one: `source` is the most of both.
    """

    source: int
    target: int
    lengths: Lengths
    unit: str = "words"
    cuts: bool = False
    at_least: bool = False
    tune: bool = False
    prefix: str = ""
    together: bool = False


def white_space_lengths(texts: Sequence[str]) -> list[int]:
    """The numbers of words between white space: no tokenizer here makes fewer of the texts."""
    return [len(text.split()) for text in texts]


# A transfer model: its needs, and how it is trained, kept, loaded and used. No Django, no Celery.
#
# A file of `modelserving/transfer` holds a `Transfer`: the kind of model. Trained or loaded it is a `Model`, which
# rewrites texts.
#
# kind = TRANSFERS["seq2seq"]
# model = kind.fit(data, checked(kind.Options, {"hidden": 64}), callbacks)
# model.save(folder)
# model = kind.load(folder)
# list(model.transfer(["wat r u doin"], ("informal", "formal"), kind.Decoding()))

Direction = tuple[str, str]
"""The names of the source style and the target style."""

Needs = Literal["nothing", "parallel", "styles", "dictionary", "optional"]
"""What a kind of model is trained on: pairs of a direction, texts of two styles, or terms and their full forms.

"optional" is a direction, whose pairs are taken where there are; `wants_pairs` says whether there must be some.
"""


@dataclass(frozen=True)
class Preset:
    """Options that are chosen together: those of a paper, for example. All others stay at their defaults.

    A run of what was trained with `options` begins with `decoding`.
    """

    label: str
    paper: Paper | None = None
    options: Mapping[str, Value] = field(default_factory=dict)
    decoding: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class PromptRequest:
    """The parts of a prompt: the text, the direction, the pairs of the train split, the options and the seed."""

    text: str
    direction: Direction
    pairs: Iterable[tuple[str, str]]
    options: Mapping[str, Any]
    seed: int = 1


class Model(ABC):
    """A model that is ready. `directions` are those that it was trained for; empty where it takes any its kind serves.

    Its output for a text depends on this text alone, never on those beside it: not on their order, number or length.
    """

    directions: tuple[Direction, ...] = ()
    signed_late: ClassVar[bool] = False
    """Whether its signature is whole only once it has rewritten something."""
    wide: ClassVar[bool] = False
    """Whether a run gives it many batches at once: it keeps what it has done by itself, and stops between texts."""

    def within(self, context: RunContext) -> "Model":
        """The model as it works in a run: a model that asks a service outside asks the run first."""
        return self

    def known_as(self, direction: Direction) -> Direction:
        """The direction as the model spells it, case aside; unchanged where the model does not know it."""
        source, target = map(str.casefold, direction)
        return next((pair for pair in self.directions if (*map(str.casefold, pair),) == (source, target)), direction)

    def check_direction(self, direction: Direction) -> None:
        """A UserError where it was trained for other directions."""
        if self.directions and direction not in self.directions:
            served = ", ".join(" to ".join(each) for each in self.directions)
            raise UserError(
                "This model was trained for {served}, not for {direction}.",
                served=served,
                direction=" to ".join(direction),
            )

    @abstractmethod
    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Any) -> Iterator[str]:
        """One output for each text, in order, as they are ready. `decoding` is of its kind's `Decoding`.

        An empty text gives an empty one. A UserError where it does not serve the direction.
        """

    @abstractmethod
    def signature(self, direction: Direction, decoding: Any) -> str:
        """'key:value|key:value': equal signatures of equal files give equal outputs."""

    def save(self, folder: Path) -> None:
        """Write all that `load` needs into the empty folder: safetensors, JSON and plain text, side by side."""
        raise NotImplementedError  # of kinds that need nothing


class Transfer(ABC):
    """A kind of model. Stateless: one instance serves all.

    `Options` say how it is trained (the paper's values are the defaults), `Decoding` how a trained one rewrites; both
    are dataclasses of `foundation.options`. `device` is the device it needs to be quick enough for a whole corpus.
    """

    label: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    needs: ClassVar[Needs] = "nothing"
    device: ClassVar[Literal["cpu", "gpu"]] = "cpu"
    directions: ClassVar[tuple[Direction, ...]] = ()
    """The pairs that it serves; empty where it can be trained for any pair."""
    Options: ClassVar[type] = NoOptions
    Decoding: ClassVar[type] = NoOptions
    prompts: ClassVar[bool] = False
    """Whether it asks a language model, whose prompt and cost can be told before."""
    presets: ClassVar[Mapping[str, Preset]] = {}
    """Sets of `Options` by name, beside the defaults."""

    def choose_options(self, given: Mapping[str, object], preset: str = "") -> Any:
        """The options with those of a preset and those `given` besides; a UserError names one that does not exist."""
        if refused := self.refuse_preset(preset):
            raise refused
        chosen = self.presets[preset].options if preset else {}
        return validate_options(self.Options, {**chosen, **given})

    def refuse_preset(self, preset: str) -> UserError | None:
        """The UserError for a preset that does not exist; None for one that does, and for "", the defaults."""
        return UserError(self._unknown(preset), where="preset") if preset and preset not in self.presets else None

    def _unknown(self, preset: str) -> str:
        """The sentence that there is no such preset, with presets of similar names, or all where none is similar."""
        if not self.presets:
            return f"{self.label} has no presets."
        near = difflib.get_close_matches(preset.casefold(), self.presets, n=3) or self.presets
        return f"{self.label} has no preset '{preset[:60]}'; did you mean {', '.join(near)}?"

    def why_unavailable(self) -> str:
        """The reason why it cannot be used on this machine, which lacks something; "" where it can."""
        return ""

    def check_decoding(self, decoding: Any) -> None:  # noqa: B027 (most kinds have nothing to look at)
        """Check the things they name, before a run is queued; a UserError says what is wrong."""

    def check_run(self, options: Mapping[str, Any], decoding: Any) -> None:  # noqa: B027 (as above)
        """Check the way of rewriting against a trained model's own options; raises as `check_decoding`."""

    def usual_decoding(self) -> Any:
        """How it rewrites when nobody chose: the defaults."""
        return self.Decoding()

    def recipes_decoding(self, options: Mapping[str, Any]) -> Mapping[str, Value]:
        """How the preset rewrites that a model's options have; nothing where they have none."""
        given = options.items()
        return next(
            (one.decoding for one in self.presets.values() if one.decoding and one.options.items() <= given), {}
        )

    def serves(self, source_style: str, target_style: str) -> bool:
        """Whether it has this direction, case aside."""
        return not self.directions or (source_style.casefold(), target_style.casefold()) in self.directions

    def check_options(self, options: Mapping[str, Any]) -> None:  # noqa: B027 (most kinds have nothing to look at)
        """Check the things they name, before a training is queued; a UserError says why none can begin on this site."""

    def wants_pairs(self, options: Mapping[str, Any]) -> bool:
        """Whether a kind for which pairs are optional needs them under these options."""
        return False

    def other_ways(self) -> Sequence[Mapping[str, Value]]:
        """Options, beside the defaults, under which it learns from something else than what it `needs`."""
        return ()

    def wants_preferences(self, options: Any) -> bool:
        """Whether it needs people's preferences under these options: to learn from, or as what rewards it."""
        return False

    def wants_texts(self, options: Any) -> bool:
        """Whether texts of both styles do for it under these options, in place of references."""
        return False

    def sends_to(self, options: Mapping[str, Any]) -> str:
        """The name of the outside service that gets the texts under these options; "" where they stay on the site."""
        return ""

    def prompt_version(self, options: Mapping[str, Any]) -> str:
        """The digest of the prompt in these options; "" for a kind that has none."""
        return ""

    def preview_prompt(self, request: PromptRequest) -> list[dict[str, str]]:
        """The chat that a language model would be sent for a text, by the role and content of each message."""
        raise UserError("{label} has no prompt.", label=self.label)

    def length_limit(self, options: Any) -> LengthLimit | None:
        """How long a text may be to be trained on; None where any length is. Imports nothing heavy."""
        return None

    def least_memory(self, options: Mapping[str, Any]) -> int | None:
        """Bytes that a training with these options takes at least; None where that is not known before it starts."""
        return None

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        """Train on `data`; equal arguments give an equal model. Resumes from the state that `callbacks` kept earlier.

        A UserError where the data lacks what it needs; `training.callbacks.Stopped` where somebody asked it to stop.
        """
        raise UserError("{label} is not trained.", label=self.label)

    @abstractmethod
    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        """The model that was saved there; None for a kind that needs nothing.

        A UserError names the file that is missing, broken, or not of this kind. Nothing is unpickled.
        """

    def refuse(self, source_style: str, target_style: str) -> UserError:
        """The error for a direction that it does not serve."""
        served = ", ".join(f"{source} to {target}" for source, target in self.directions)
        return UserError(
            "{label} does not go from {source_style} to {target_style}; it serves {served}.",
            label=self.label,
            source_style=source_style,
            target_style=target_style,
            served=served,
        )


class BatchModel(Model):
    """Asks its run before each batch whether to go on (`run_context.batchwise`). A subclass calls `__init__`."""

    def __init__(self) -> None:
        self.context = RunContext()

    def within(self, context: RunContext) -> Self:
        """The same model for another run; the two share everything else."""
        found = copy(self)
        found.context = context
        return found
