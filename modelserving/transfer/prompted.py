"""A language model that is prompted, with examples in the prompt (Brown et al. 2020): at an endpoint, or in a folder.

Nothing is learnt: a training chooses the examples, keeps the prompt, and scores a few tune sources. Examples come from
the train split alone, and a text never meets its own reference.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.learned_scorers.training_material import TrainingMaterial
from foundation.base_folder import base_folder
from foundation.errors import UserError
from foundation.options import validate_options
from foundation.papers import Paper
from foundation.translation import translatable, translated
from modelserving.adapters.options import ARCHITECTURES
from modelserving.interface import Model, PromptRequest, Transfer
from modelserving.pretrained.folder_list import folders_of
from modelserving.prompting.choosing import check_metric, needs_judgements
from modelserving.prompting.endpoints import endpoint_named, endpoints
from modelserving.prompting.options import CallOptions, PromptOptions, check_limit
from modelserving.prompting.template import Examples, Messages
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData

NEITHER = translatable(
    "This site has no endpoint of language models, and no instruct model lies below RESTYLE_MODELS; docs/models.md "
    "says how whoever runs it brings either."
)
FEW_SHOT = Paper(
    "Brown, Mann, Ryder et al.", 2020, "Language Models are Few-Shot Learners", "https://arxiv.org/abs/2005.14165"
)


class Prompted(Transfer):
    label = "Prompted language model"
    paper = FEW_SHOT
    needs = "optional"
    prompts = True
    Options = PromptOptions
    Decoding = CallOptions

    def why_unavailable(self) -> str:
        """The reason; a folder suffices if no endpoint is named, or the settings of endpoints cannot be read."""
        if folders_of(ARCHITECTURES):
            return ""
        try:
            return "" if endpoints() else translated(NEITHER)
        except UserError as error:
            return str(error)

    def wants_pairs(self, options: Mapping[str, Any]) -> bool:
        return bool(options.get("shots", 0))

    def wants_preferences(self, options: Any) -> bool:
        """Where the best of several rewrites is chosen by a metric that is trained on them."""
        return int(options.get("samples", 1)) > 1 and needs_judgements(str(options["best_by"]))

    def sends_to(self, options: Mapping[str, Any]) -> str:
        """The endpoint, if it is outside under the site's settings of now."""
        name = str(options.get("endpoint", ""))
        return name if name and not endpoint_named(name).local else ""

    def check_options(self, options: Mapping[str, Any]) -> None:
        _check(validate_options(PromptOptions, options))

    def check_run(self, options: Mapping[str, Any], decoding: CallOptions) -> None:
        prices = float(options.get("price_input", 0)), float(options.get("price_output", 0))
        check_limit(decoding.most_cost, prices)

    def prompt_version(self, options: Mapping[str, Any]) -> str:
        return validate_options(PromptOptions, options).template.version

    def preview_prompt(self, request: PromptRequest) -> Messages:
        options = validate_options(PromptOptions, request.options)
        examples = Examples(request.pairs, options.shots, options.choice, request.seed).for_one(request.text)
        return options.template.messages(request.text, request.direction, examples)

    def fit(self, data: TrainingData, options: PromptOptions, callbacks: Callbacks) -> Model:
        from modelserving.prompting.model import PromptedModel, score_on_tune, service_of

        _check(options)
        pairs = zip(data.train.sources, data.train.targets, strict=True)
        examples = Examples(pairs, options.shots, options.choice, callbacks.seed)
        if options.shots and not examples.pairs:
            raise UserError("There are no pairs to take examples from.", where="train")
        local = bool(options.endpoint) and endpoint_named(options.endpoint).local
        model = PromptedModel(
            options=options, examples=examples, directions=(data.direction,), seed=callbacks.seed, local=local,
            service=service_of(options, callbacks.seed), language=data.language,
            judged=TrainingMaterial(preferences=data.judged_pairs()),
        )  # fmt: skip
        score_on_tune(model, data, callbacks)
        return model

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.prompting.model import load_prompted

        if folder is None:
            raise UserError("A prompted model is loaded from the folder that it was saved in.")
        return load_prompted(folder)


def _check(options: PromptOptions) -> None:
    """Raise a UserError where the site has no such model, or cannot compute what it is to be scored by."""
    if options.tune_most:
        check_metric(options.tune_by, "tune_by")
    if options.samples > 1:
        check_metric(options.best_by, "best_by", chooses=True)
    if options.folder:
        base_folder(options.folder, ARCHITECTURES)
        return
    if not options.endpoint:
        raise UserError("Name an endpoint of this site, or a folder with a model.", where="endpoint")
    endpoint_named(options.endpoint).check_model(options.model)
    check_limit(options.most_cost, options.prices)


TRANSFER = Prompted()
