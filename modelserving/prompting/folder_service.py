"""A language model in a folder of this machine: an instruct model, loaded and asked as LoRA's base is.

Its answers are kept as those of endpoints are, so a run goes on where it stopped, and a repeated one computes nothing.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from foundation.base_folder import BaseFolder, base_folder
from modelserving.adapters.architectures import ARCHITECTURES
from modelserving.prompting.kept_answers import Coming, Found, in_order
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context.context import CUT, TOO_LONG, Answer, Asked, Refusal, RunContext
from modelserving.run_context.token_guess import guess_of

if TYPE_CHECKING:
    from modelserving.adapters.chat import ChatTokenizer

AS_KEPT = 2  # raise it when the same ids are kept as another text
AT_ONCE = 8  # prompts between two looks at whether to stop


class FolderService:
    """Asks the model of a folder below RESTYLE_MODELS. Its weights are loaded with the first prompt without answer."""

    def __init__(self, options: PromptOptions, seed: int) -> None:
        self.options, self.seed = options, seed

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]:
        """What each prompt gets, in their order; equal ones are computed once. Nothing is paid."""
        digests = [self.digest(prompt) for prompt in prompts]
        return in_order(prompts, digests, context, lambda new: self._computed(new, context))

    def signed(self) -> str:
        """The folder with the digest of its weights."""
        return f"folder:{self.options.folder}|base:{self._folder.digest}"

    def digest(self, prompt: Messages) -> str:
        """SHA-256 of all that an answer depends on: the folder's files, the prompt, the settings."""
        chosen = self.options
        settings = [chosen.temperature, chosen.top_p, self._longest, self.seed]
        whole = json.dumps(
            ["folder", AS_KEPT, self._folder.digest, prompt, settings], ensure_ascii=True, sort_keys=True
        )
        return hashlib.sha256(whole.encode()).hexdigest()

    def _computed(self, new: dict[str, Messages], context: RunContext) -> Coming:
        """Compute a few at a time, and keep each answer before the next few."""
        waiting = iter(new.items())
        while batch := dict(islice(waiting, AT_ONCE)):
            context.step()
            rows = {key: self._ids(prompt) for key, prompt in batch.items()}
            fits = {key: ids for key, ids in rows.items() if not isinstance(ids, Refusal)}
            found = dict(zip(fits, self._written(list(fits.values()), context), strict=True)) if fits else {}
            for key, ids in rows.items():
                if isinstance(ids, Refusal):
                    yield key, ids
                    continue
                guessed = sum(guess_of(message["content"]) for message in batch[key])
                context.keep(key, found[key], 0.0, Asked(self.signed(), guessed))
                yield key, found[key]

    def _written(self, rows: Sequence[list[int]], context: RunContext) -> Iterator[Answer]:
        from modelserving.adapters.options import ChatGenerationOptions
        from modelserving.adapters.writing import write_answers

        chosen, longest = self.options, self._longest
        how = ChatGenerationOptions(
            sample=chosen.temperature > 0, temperature=chosen.temperature or 1.0, top_p=chosen.top_p, seed=self.seed
        )
        written = write_answers(self._net, self._chat, rows, how, longest, context)
        for ids, row in zip(written, rows, strict=True):
            finish = CUT if self._chat.is_cut(ids, longest) else "stop"
            yield Answer(self._chat.text(ids), self._folder.digest, finish, len(row), len(ids))

    def _ids(self, prompt: Messages) -> "list[int] | Refusal":
        ids = self._chat.prompt("\n\n".join(message["content"] for message in prompt))
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
        """Tokens of an answer, at most: half of the room, where the model has so little."""
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
