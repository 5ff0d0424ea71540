"""LoRA (Hu et al. 2022): an instruct model of this machine, of which a low-rank adapter alone is trained; or QLoRA."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.base_folder import BaseFolder, base_folder
from foundation.errors import UserError
from foundation.local_resources import VARIABLE
from foundation.options import validate_options
from foundation.papers import Paper
from foundation.translation import translate
from modelserving.adapters.model import LoraModel
from modelserving.adapters.options import ARCHITECTURES, ChatGenerationOptions, LoraOptions
from modelserving.interface import LengthLimit, Model
from modelserving.pretrained.folder_list import GUIDE, HALF, QUARTER, folders_of
from modelserving.pretrained.kind import LearnsOtherwise, about_model
from modelserving.pretrained.model import ABOUT
from modelserving.pretrained.subwords import can_count_tokens, token_lengths
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData

if TYPE_CHECKING:
    from modelserving.adapters.chat import ChatTokenizer
    from modelserving.adapters.writing import ChatRows
    from modelserving.training.process_group import ProcessGroup


class Lora(LearnsOtherwise):
    label = "LoRA"
    paper = Paper(
        "Hu et al.", 2022, "LoRA: Low-Rank Adaptation of Large Language Models", "https://arxiv.org/abs/2106.09685"
    )
    needs = "parallel"
    device = "gpu"
    Options = LoraOptions
    Decoding = ChatGenerationOptions
    name = "lora"

    def why_unavailable(self) -> str:
        if folders_of(ARCHITECTURES):
            return ""
        return translate(
            "{label} needs an instruct model below {variable}; {guide} says how a model is brought here.",
            label=self.label, variable=VARIABLE, guide=GUIDE,
        )  # fmt: skip

    def length_limit(self, options: LoraOptions) -> LengthLimit | None:
        """The limit of prompt and rewrite, without the chat template's text around them; None without a folder or
        tokenizers."""
        if not can_count_tokens():
            return None
        try:
            positions = base_folder(options.folder, ARCHITECTURES).positions
        except UserError:
            return None
        most, said = min(options.longest, positions or options.longest), options.prompt.replace("{text}", "")
        return LengthLimit(most, most, partial(token_lengths, options.folder), "tokens", prefix=said, together=True)

    def check_options(self, options: Mapping[str, Any]) -> None:
        from modelserving.adapters.chat import prompt_of

        base_folder(str(options["folder"]), ARCHITECTURES)
        prompt_of(str(options["prompt"]), ("", ""))
        self.check_learnt(options)

    def fit(self, data: TrainingData, options: LoraOptions, callbacks: Callbacks) -> Model:
        from modelserving.adapters.network import read_adapter
        from modelserving.adapters.tuning import CausalTrainer, prefer, reward, tune_score
        from modelserving.adapters.writing import ChatCollator
        from modelserving.pretrained.trainer import Bridge, train
        from modelserving.training.process_group import join_process_group, local_device

        if not self.count_learnt(data, options):
            raise UserError("{label} is trained on pairs, and there are none.", label=self.label, where="train")
        device = local_device(callbacks.device)
        group = join_process_group(device)
        model = self._begun(data, options, callbacks, device, group)
        score = tune_score(model, data, options)
        by_metric = score if options.tune_by != "loss" else None
        if self.prefers(options):
            prefer(model, data, callbacks, group, by_metric)
        elif self.wants_texts(options):
            reward(model, data, callbacks, group, by_metric)
        else:
            rows = self._rows(data, model, callbacks, group)
            bridge = Bridge(options, callbacks, model.save, score, group)
            train(CausalTrainer, model.net, rows, ChatCollator(model.chat.pad), bridge)
        if best := callbacks.kept("best"):
            read_adapter(best, model.net)
        model.net.eval()
        return model

    def least_memory(self, options: Mapping[str, Any]) -> int | None:
        """The bytes of the model in bfloat16 or 4 bits; the adapter is small beside it."""
        try:
            numbers = base_folder(str(options["folder"]), ARCHITECTURES).numbers
        except UserError:
            return None
        return int(numbers * (QUARTER if options["quantize"] else HALF))

    def _begun(
        self, data: TrainingData, options: LoraOptions, callbacks: Callbacks, device: str, group: "ProcessGroup"
    ) -> LoraModel:
        """The model with its last kept adapter, else with that of the checkpoint that it starts from, or a new one."""
        from modelserving.adapters.network import new_network, saved_network
        from modelserving.neural_transfer.kind import naming_start, starting_point

        folder, chat = self._folder(options)
        if last := callbacks.kept("last"):
            _check_base(folder, about_model(last))
            net = saved_network(last, folder, options, device, quantize=options.quantize)
        elif start := starting_point(data, options, callbacks, group):
            with naming_start():
                _check_base(folder, about_model(start, self.name))
                net = saved_network(start, folder, options, device, quantize=options.quantize)
        else:
            net = new_network(folder, options, device, callbacks.seed)
            trained = sum(one.numel() for one in net.parameters() if one.requires_grad)
            callbacks.say(f"{folder.path.name}: {folder.architecture}, {folder.numbers:,} numbers, digest "
                          f"{folder.digest}; of the adapter {trained:,}.")  # fmt: skip
        for one in net.parameters():
            if one.requires_grad:
                one.data = one.data.float()
        if options.checkpointing:
            net.enable_input_require_grads()
        return LoraModel(self.name, net, folder, chat, options, (data.direction,))

    def _rows(self, data: TrainingData, model: LoraModel, callbacks: Callbacks, group: "ProcessGroup") -> "ChatRows":
        """The chats of the training data, which the first process writes into the training's folder."""
        from modelserving.adapters.chat import prompt_of
        from modelserving.adapters.writing import ChatRows, write_chats

        folder, options = callbacks.folder / "ids", model.options
        if group.first:
            prompt = prompt_of(options.prompt, data.direction)
            longest = min(options.longest, model.folder.positions or options.longest)
            write_chats(folder, data.train.sources, data.train.targets, model.chat, prompt, longest, callbacks)
        group.wait()
        return ChatRows(folder)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.adapters.network import saved_network

        if folder is None:
            raise UserError("{label} has to be trained first.", label=self.label)
        about = about_model(folder, self.name)
        options = validate_options(LoraOptions, about["options"], f"{ABOUT}: ")
        base, chat = self._folder(options)
        _check_base(base, about)
        net = saved_network(folder, base, options, device, quantize=options.quantize and device.startswith("cuda"))
        return LoraModel(self.name, net.eval(), base, chat, options, about["directions"])

    def _folder(self, options: LoraOptions) -> "tuple[BaseFolder, ChatTokenizer]":
        from modelserving.adapters.chat import ChatTokenizer

        found = base_folder(options.folder, ARCHITECTURES)
        return found, ChatTokenizer(found.path, found.where)


def _check_base(folder: BaseFolder, about: dict[str, Any]) -> None:
    if folder.digest != about["base"]["digest"]:
        raise UserError("The adapter was trained on another model of that name: its digest was {digest}, and is "
"{found}.", digest=about['base']['digest'], found=folder.digest, where=folder.where)  # fmt: skip


TRANSFER = Lora()
