"""A language model in a folder of this machine: an instruct model, loaded and asked as LoRA's base is."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from foundation.errors import UserError
from modelserving.adapters.architectures import ARCHITECTURES
from modelserving.pretrained.base_folder import BaseFolder, base_folder
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context.context import Answer, RunContext

if TYPE_CHECKING:
    from modelserving.adapters.chat import ChatTokenizer

AT_ONCE = 8  # prompts between two looks at whether to stop


class FolderService:
    """Asks the model of a folder below RESTYLE_MODELS. Its weights are loaded with the first prompt."""

    def __init__(self, options: PromptOptions, seed: int) -> None:
        self.options, self.seed = options, seed

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Answer]:
        """The answers in the order of the prompts; no call and no money is counted."""
        for start in range(0, len(prompts), AT_ONCE):
            context.step()
            yield from self._answered(prompts[start : start + AT_ONCE], context)

    def signed(self) -> str:
        """The folder with the digest of its weights."""
        return f"folder:{self.options.folder}|base:{self._folder.digest}"

    def _answered(self, prompts: Sequence[Messages], context: RunContext) -> Iterator[Answer]:
        from modelserving.adapters.options import ChatGenerationOptions
        from modelserving.adapters.writing import write_answers

        chosen = self.options
        how = ChatGenerationOptions(
            sample=chosen.temperature > 0, temperature=chosen.temperature or 1.0, top_p=chosen.top_p, seed=self.seed
        )
        chat, longest = self._chat, self._longest
        rows = [self._ids(prompt, longest) for prompt in prompts]
        for ids, row in zip(write_answers(self._net, chat, rows, how, longest, context), rows, strict=True):
            finish = "length" if len(ids) >= longest and chat.end not in ids else "stop"
            yield Answer(chat.text(ids), "", finish, len(row), len(ids))

    def _ids(self, prompt: Messages, longest: int) -> list[int]:
        ids = self._chat.prompt("\n\n".join(message["content"] for message in prompt))
        most = self._folder.positions
        if most and len(ids) + longest > most:
            raise UserError(
                f"A prompt has {len(ids):,} tokens, and with answers of {longest:,} the model of the folder "
                f"{self.options.folder} has room for {most - longest:,}."
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
