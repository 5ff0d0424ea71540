"""The model of a folder below RESTYLE_MODELS as a service: it answers prompts, each once."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from foundation.base_folder import BaseFolder, base_folder
from modelserving.adapters.options import ARCHITECTURES
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context import CUT, TOO_LONG, Answer, Asked, Refusal, RunContext, guess_of

if TYPE_CHECKING:
    from modelserving.adapters.chat import ChatTokenizer

Found = Answer | Refusal
Coming = Iterator[tuple[str, Found]]
Request = TypeVar("Request")


def in_order(
    prompts: Sequence[Request],
    digests: Sequence[str],
    context: RunContext,
    ask: Callable[[dict[str, Request]], Coming],
) -> Iterator[Found]:
    """The answer to each prompt; `ask` gets those without one, by their digests, and yields answers as they come.

    Equal prompts are asked once.
    """
    by_digest = dict(zip(digests, prompts, strict=True))
    found: dict[str, Found] = {**context.kept(list(by_digest))}
    context.count_kept([answer for answer in found.values() if isinstance(answer, Answer)])
    coming = ask({key: prompt for key, prompt in by_digest.items() if key not in found})
    for key in digests:
        while key not in found:
            new, answer = next(coming)
            found[new] = answer
        yield found[key]
    for _ in coming:  # it has an end of its own, where an error is raised
        pass


AS_KEPT = 3  # raise it when the same prompt has other ids, or the same ids are kept as another text


class FolderService:
    """Asks the model of a folder below RESTYLE_MODELS. The first prompt without an answer loads its weights."""

    at_once = 8  # prompts between two looks at whether to stop

    def __init__(self, options: PromptOptions, seed: int) -> None:
        self.options, self.seed = options, seed

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]:
        """`samples` answers to each prompt, in order; equal ones are computed once. Nothing is paid."""
        drawn = [(prompt, place) for prompt in prompts for place in range(self.options.samples)]
        digests = [self.digest(prompt, place) for prompt, place in drawn]
        return in_order(drawn, digests, context, lambda new: self._computed(new, context))

    def signed(self) -> str:
        """The folder with the digest of its weights."""
        return f"folder:{self.options.folder}|base:{self._folder.digest}"

    def digest(self, prompt: Messages, place: int = 0) -> str:
        """SHA-256 of all that an answer depends on: the folder's files, the prompt, the settings."""
        chosen = self.options
        settings = [chosen.temperature, chosen.top_p, self._longest, self.seed + place, *self._computed_by]
        whole = json.dumps(
            ["folder", AS_KEPT, self._folder.digest, prompt, settings], ensure_ascii=True, sort_keys=True
        )
        return hashlib.sha256(whole.encode()).hexdigest()

    @property
    def _computed_by(self) -> list[str]:
        """Engines that compute, other than transformers, with their versions."""
        return []

    def _computed(self, new: dict[str, tuple[Messages, int]], context: RunContext) -> Coming:
        """Compute a few of one place at a time, and keep each answer before the next few."""
        for place in range(self.options.samples):
            yield from self._computed_at(place, {key: one for key, (one, at) in new.items() if at == place}, context)

    def _computed_at(self, place: int, new: dict[str, Messages], context: RunContext) -> Coming:
        waiting = iter(new.items())
        while batch := dict(islice(waiting, self.at_once)):
            context.step()
            rows = {key: self._ids(prompt) for key, prompt in batch.items()}
            fits = {key: ids for key, ids in rows.items() if not isinstance(ids, Refusal)}
            found = dict(zip(fits, self._written(list(fits.values()), place, context), strict=True)) if fits else {}
            for key, ids in rows.items():
                if isinstance(ids, Refusal):
                    yield key, ids
                    continue
                guessed = sum(guess_of(message["content"]) for message in batch[key])
                context.keep(key, found[key], 0.0, Asked(self.signed(), guessed))
                yield key, found[key]

    def _written(self, rows: Sequence[list[int]], place: int, context: RunContext) -> Iterator[Answer]:
        from modelserving.adapters.options import ChatGenerationOptions
        from modelserving.adapters.writing import write_answers

        chosen, longest = self.options, self._longest
        how = ChatGenerationOptions(
            sample=chosen.temperature > 0, temperature=chosen.temperature or 1.0, top_p=chosen.top_p,
            seed=self.seed + place,
        )  # fmt: skip
        written = write_answers(self._net, self._chat, rows, how, longest, context)
        for ids, row in zip(written, rows, strict=True):
            finish = CUT if self._chat.is_cut(ids, longest) else "stop"
            yield Answer(self._chat.text(ids), self._folder.digest, finish, len(row), self._chat.length(ids))

    def _ids(self, prompt: Messages) -> "list[int] | Refusal":
        system = "\n\n".join(message["content"] for message in prompt if message["role"] == "system")
        ids = self._chat.prompt("\n\n".join(one["content"] for one in prompt if one["role"] != "system"), system)
        most, longest = self._folder.positions, self._longest
        if most and len(ids) + longest > most:
            return Refusal(
                TOO_LONG,
                f"A prompt has {len(ids):,} tokens, and with answers of {longest:,} the model of the folder "
                f"{self.options.folder} has room for {most - longest:,}.",
            )
        return ids

    @property
    def _longest(self) -> int:
        """The most tokens of an answer: at most half of the model's room."""
        most = self._folder.positions
        return min(self.options.most_tokens, most // 2) if most else self.options.most_tokens

    @cached_property
    def _folder(self) -> BaseFolder:
        return base_folder(self.options.folder, ARCHITECTURES)

    @cached_property
    def _chat(self) -> "ChatTokenizer":
        from modelserving.adapters.chat import ChatTokenizer

        return ChatTokenizer(self._folder.path, self._folder.where)

    @cached_property
    def _net(self) -> Any:
        import torch

        from modelserving.adapters.network import base_network

        return base_network(self._folder, "cuda:0" if torch.cuda.is_available() else "cpu", "auto")
