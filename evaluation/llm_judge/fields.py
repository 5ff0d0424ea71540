"""The fields of a judge, each declared once; form, API and action are made from them."""

from dataclasses import dataclass
from typing import Any

from annotation.scales import SCALES
from corpora.models import Study
from evaluation.imported_metrics import JUDGE, LONGEST_NAME
from evaluation.llm_judge.prompts import GUIDED, PAIRS, SCALE, SYSTEM, USUAL, JudgePrompt
from foundation.errors import UserError
from foundation.options import option
from foundation.translation import translatable
from modelserving.prompting.endpoints import SUGGESTIONS
from modelserving.prompting.options import CallLimits, CallOptions, PromptOptions

MOST_SAMPLES = 20
LONGEST_MACHINE = 40  # characters of a machine's name


@dataclass(frozen=True)
class AskedModel(CallLimits):
    """A language model that judges: where it is, and how it is asked. An empty message is the usual one."""

    endpoint: str = option("", "Endpoint of this site that has the model", label="Endpoint", suggestions=SUGGESTIONS)
    model: str = option("", "Name of the model at the endpoint", label="Model")
    folder: str = option(
        "", "Folder of an instruct model below RESTYLE_MODELS, in place of an endpoint", label="Folder",
        suggestions="model_folders",
    )  # fmt: skip
    system: str = option(SYSTEM, "The words before each question", label="System prompt", lines=True)
    message: str = option(
        "", "The question; left empty, the usual one. Names in braces are filled in: {source}, {output} or {first} and "
        "{second}, {criterion}, {scale}, {reference}, {source_style}, {target_style}.", label="Message", lines=True,
    )  # fmt: skip
    samples: int = option(1, "Answers to each question, whose mean counts", label="Answers", low=1, high=MOST_SAMPLES)
    temperature: float = option(0.0, "0 for the most likely answer", label="Temperature", low=0, high=2)
    most_tokens: int = option(64, "Tokens of an answer, at most", label="Tokens", low=1, high=100_000)
    seed: int = option(1, "Sent with each question", label="Seed", low=0, high=2**31 - 1)
    price_input: float = option(0.0, "Price of a million tokens of questions", label="Price in", low=0)
    price_output: float = option(0.0, "Price of a million tokens of answers", label="Price out", low=0)

    def __post_init__(self) -> None:
        if self.endpoint and self.folder:
            raise UserError("The model is at an endpoint or in a folder, not both.", where="folder")
        if self.samples > 1 and not self.temperature:
            raise UserError("Several answers need a temperature above 0: without, all are the same.", where="samples")

    def prompt_of(self, way: str, guideline: str | None = None) -> JudgePrompt:
        """The prompt for a way of judging. The usual one tells the guideline, where there is one."""
        guided = GUIDED if (guideline or "").strip() else ""
        return JudgePrompt(self.system, self.message or guided + USUAL[way], way, guideline)

    @property
    def service(self) -> PromptOptions:
        """The settings by which the service is asked."""
        return PromptOptions(
            endpoint=self.endpoint, model=self.model, folder=self.folder, temperature=self.temperature,
            samples=self.samples, most_tokens=self.most_tokens, price_input=self.price_input,
            price_output=self.price_output,
        )  # fmt: skip

    @property
    def calls(self) -> CallOptions:
        return CallOptions(self.parallel, self.retries, self.timeout, self.most_cost)

    @property
    def asked(self) -> str:
        """The model by its own name, without the folders above it."""
        return (self.model or self.folder).rpartition("/")[2]


@dataclass(frozen=True)
class JudgeFields(AskedModel):
    """The fields that `start_judging` takes."""

    criterion: str = option("", "One of the study's, whose scale has an order.", label="Criterion", required=True)
    name: str = option(
        "", "Left empty, the model's name and the criterion.", label="Name of the metric",
        characters=LONGEST_NAME - len(JUDGE),
        clean=str.strip,
    )  # fmt: skip
    way: str = option(
        SCALE, "Pairs are judged in both orders; an output's score is its share of wins.", label="Way of judging",
        choices=[(SCALE, translatable("Each output on the scale")), (PAIRS, translatable("Two outputs side by side"))],
    )  # fmt: skip
    sources: int = option(0, "Sources, drawn by the seed; 0 for all", label="Sources", low=0, high=1_000_000)
    contrast: int = option(
        20, "Sources whose degenerate outputs are judged too, to see whether style makes up for content; 0 for none",
        label="Contrast set", low=0, high=10_000,
    )  # fmt: skip
    seed: int = option(1, "Draws the sources, and is sent with each question", label="Seed", low=0, high=2**31 - 1)

    def __post_init__(self) -> None:
        self.prompt.check()
        super().__post_init__()

    @property
    def prompt(self) -> JudgePrompt:
        return self.prompt_of(self.way)


@dataclass(frozen=True)
class MachineFields(AskedModel):
    """The fields that `add_machine_rater` takes: a language model that judges the items of a campaign."""

    name: str = option(
        "", "Left empty, the model's name. Tables and exports put “machine” before it.", label="Name",
        characters=LONGEST_MACHINE, clean=str.strip,
    )  # fmt: skip
    message: str = option(
        "", "The question; left empty, the usual one with the guideline. Names in braces are filled in: {guideline}, "
        "{source}, {output} or {first} and {second} or {candidates}, {criterion}, {scale}, {reference}, "
        "{source_style}, {target_style}; {form} says how marks are answered.", label="Message", lines=True,
    )  # fmt: skip
    most_tokens: int = option(
        0, "Tokens of an answer, at most; 0 for 64, and for 2,000 where spans are marked", label="Tokens",
        low=0, high=100_000,
    )  # fmt: skip


def criterion_of(study: Study, name: str) -> Any:
    """The study's criterion; a UserError where it has none of the name, or its scale has no order."""
    row = study.criteria.filter(name=name).first()
    if row is None:
        there = ", ".join(study.criteria.values_list("name", flat=True))
        if not there:
            raise UserError("The study has no criteria yet; a rating campaign brings them.", where="criterion")
        raise UserError("There is no criterion '{name}'; there are {there}.", name=name, there=there, where="criterion")
    if not SCALES[row.scale].is_ordered:
        raise UserError("The levels of this scale have no order, so a judge's answers have no mean.", where="criterion")
    return row
