"""A language model with its prompt: what a training of it keeps, and what rewrites texts."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from modelserving.interface.transfer_model import Direction, Model
from modelserving.prompting.cleaning import one_line, unwrapped
from modelserving.prompting.endpoint_service import EndpointService
from modelserving.prompting.endpoints import endpoint_named
from modelserving.prompting.examples import Examples
from modelserving.prompting.folder_service import FolderService
from modelserving.prompting.kept_answers import Found
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context.context import CUT, Answer, Refusal, RunContext, unfinished
from modelserving.run_context.thoughts import UnfinishedThought, without_thoughts

VERSION = 2  # raise it when the same answer becomes another output
ABOUT, POOL = "prompted.json", "examples.json"


class Service(Protocol):
    """What answers prompts."""

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]: ...
    def signed(self) -> str: ...


@dataclass(kw_only=True)
class PromptedModel(Model):
    """`local` says whether its endpoint was one of the lab's own when it was made: its examples then stay there."""

    @property
    def signed_late(self) -> bool:  # type: ignore[override]
        """Of an endpoint: the model's own name comes with its answers."""
        return not self.options.folder

    options: PromptOptions
    examples: Examples
    directions: tuple[Direction, ...]
    seed: int
    local: bool
    service: Service
    context: RunContext = field(default_factory=RunContext)

    def within(self, context: RunContext) -> Model:
        return replace(self, context=context)

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: CallOptions) -> Iterator[str]:
        if direction not in self.directions:
            raise UserError(
                "This prompt was not made for {source_style} to {target_style}.",
                source_style=direction[0],
                target_style=direction[1],
            )
        self._check_examples_may_leave()
        return self._rewritten(texts, direction, decoding)

    def _rewritten(self, texts: Sequence[str], direction: Direction, decoding: CallOptions) -> Iterator[str]:
        prompts = [self.prompt(text, direction) for text in texts if text.strip()]
        answers = self.service.answers(prompts, self.context, decoding)
        for text in texts:
            yield self._output(next(answers)) if text.strip() else ""
        for _ in answers:  # none is left; what it ends with is its own
            pass

    def _output(self, answer: Found) -> str:
        """One line; "" for a text that gets no answer."""
        if isinstance(answer, Refusal):
            self.context.refuse(answer)
            return ""
        try:
            said = without_thoughts(answer.text)
        except UnfinishedThought:
            return self._output(self._unfinished(answer))
        if answer.finish == CUT and not said.strip():  # the service keeps thoughts to itself
            return self._output(self._unfinished(answer))
        return one_line(unwrapped(said) if self.options.clean else said)

    def _unfinished(self, answer: Answer) -> Refusal:
        return unfinished(self.options.most_tokens if answer.finish == CUT else 0)

    def prompt(self, text: str, direction: Direction) -> Messages:
        """The chat that asks for the rewrite of a text."""
        return self.options.template.messages(text, direction, self.examples.of(text))

    def _check_examples_may_leave(self) -> None:
        """Examples that were taken for an endpoint of the lab's own do not go elsewhere when the name does."""
        if self.local and self.examples.pairs and not endpoint_named(self.options.endpoint).local:
            raise UserError(
                "The endpoint {endpoint} was the lab's own when this model was made, and is outside now; "
                "train it again, and its examples go there where the study's terms allow it.",
                endpoint=self.options.endpoint,
            )

    def signature(self, direction: Direction, decoding: CallOptions) -> str:
        chosen = self.options
        names = self.context.usage.models if self.signed_late else ()
        answered = "".join(f"|answered:{name}" for name in names)
        return (
            f"prompted|{'-'.join(direction)}|version:{VERSION}|{self.service.signed()}{answered}|prompt:{self._digest[:16]}|"
            f"shots:{chosen.shots}|choice:{chosen.choice}|temperature:{chosen.temperature:g}|top_p:{chosen.top_p:g}|"
            f"most_tokens:{chosen.most_tokens}|clean:{int(chosen.clean)}|seed:{self.seed}"
        )

    @cached_property
    def _digest(self) -> str:
        """SHA-256 of the template and the examples."""
        parts = [self.options.system, self.options.message, self.options.example, self.examples.stored()]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()

    def save(self, folder: Path) -> None:
        about = {
            "direction": self.directions[0], "options": options_as_stored(self.options), "seed": self.seed,
            "local": self.local,
        }  # fmt: skip
        _write(folder / ABOUT, about)
        _write(folder / POOL, self.examples.stored())


def load_prompted(folder: Path) -> PromptedModel:
    """The model that was saved there; a UserError names the file that is missing or broken."""
    about, pool = _read(folder / ABOUT), _read(folder / POOL)
    try:
        source, target = about["direction"]
        given, seed, local = dict(about["options"]), about["seed"], about["local"]
        pairs = [(first, second) for first, second in pool]
    except (TypeError, KeyError, ValueError):
        raise UserError("No prompted model was saved in it.", where=ABOUT) from None
    texts = [source, target, *(text for pair in pairs for text in pair)]
    if type(seed) is not int or type(local) is not bool or not all(isinstance(text, str) for text in texts):
        raise UserError("No prompted model was saved in it.", where=ABOUT)
    options = validate_options(PromptOptions, given, f"{ABOUT}, ")
    examples = Examples(pairs, options.shots, options.choice, None)
    return PromptedModel(
        options=options, examples=examples, directions=((source, target),), seed=seed, local=local,
        service=service_of(options, seed),
    )  # fmt: skip


def service_of(options: PromptOptions, seed: int) -> Service:
    """What answers under these options."""
    return FolderService(options, seed) if options.folder else EndpointService(options, seed)


def _write(path: Path, what: Mapping[str, Any] | list[list[str]]) -> None:
    path.write_text(json.dumps(what, ensure_ascii=False, indent=1), encoding="utf-8")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise UserError("The file is missing, or no prompted model was saved in it.", where=path.name) from None
