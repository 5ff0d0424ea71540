"""The options of a prompted language model. Without its client and without torch: forms are made of them."""

from dataclasses import dataclass

from foundation.errors import UserError
from foundation.options import option
from foundation.translation import translatable
from modelserving.prompting.calls import Limits
from modelserving.prompting.endpoints import SUGGESTIONS
from modelserving.prompting.examples import DRAWN, RETRIEVED
from modelserving.prompting.template import EXAMPLE, MESSAGE, SYSTEM, Template

METRICS = ("bleu", "sari")
MODEL, PROMPT, EXAMPLES = translatable("Which model"), translatable("Prompt"), translatable("Examples")
ANSWERS, LIMITS = translatable("Answers"), translatable("Limits and cost")
MOST_SHOTS = 32


@dataclass(frozen=True)
class CallOptions:
    """How a model is asked: nothing of it changes an answer."""

    parallel: int = option(4, "Calls at the same time", low=1, high=64, group=LIMITS)
    retries: int = option(4, "Times that a failed call is tried again", low=0, high=20, group=LIMITS)
    timeout: float = option(60.0, "Seconds that a call may take", low=1, high=3600, group=LIMITS)
    most_cost: float = option(
        0.0, "Cost that it may not pass, in the money of the prices; 0 for no limit", low=0, group=LIMITS
    )

    @property
    def limits(self) -> Limits:
        return Limits(self.parallel, self.retries, self.timeout)


@dataclass(frozen=True)
class PromptOptions:
    """What is asked, and of which model. The training's seed draws the examples and is sent with each call."""

    endpoint: str = option("", "Endpoint of this site that has the model", group=MODEL, suggestions=SUGGESTIONS)
    model: str = option("", "Name of the model at the endpoint", group=MODEL)
    folder: str = option(
        "", "Folder of an instruct model below RESTYLE_MODELS, in place of an endpoint", group=MODEL,
        suggestions="model_folders",
    )  # fmt: skip
    system: str = option(SYSTEM, "What the model is told first", lines=True, group=PROMPT)
    message: str = option(
        MESSAGE,
        "What it is asked, with {source_style}, {target_style}, {text} and {examples}",
        lines=True,
        group=PROMPT,
    )
    example: str = option(EXAMPLE, "How an example is written, with {source} and {target}", lines=True, group=PROMPT)
    shots: int = option(0, "Examples in a prompt, from the train split", low=0, high=MOST_SHOTS, group=EXAMPLES)
    choice: str = option(
        DRAWN, "Drawn once by the seed, or the train sources most like each text", choices=(DRAWN, RETRIEVED),
        group=EXAMPLES,
    )  # fmt: skip
    temperature: float = option(0.0, "How freely tokens are drawn; 0 for the most likely", low=0, high=2, group=ANSWERS)
    top_p: float = option(1.0, "Share of the probability that tokens are drawn from", low=0.01, high=1, group=ANSWERS)
    most_tokens: int = option(1024, "Tokens of an answer, at most", low=1, high=100_000, group=ANSWERS)
    clean: bool = option(False, "Take quotation marks and words such as 'Here is' off", group=ANSWERS)
    tune_most: int = option(5, "Tune sources that are rewritten for a score; 0 for none", low=0, group=LIMITS)
    tune_by: str = option("bleu", "What they are scored by", choices=METRICS, group=LIMITS)
    price_input: float = option(0.0, "Price of a million tokens of prompts", low=0, group=LIMITS)
    price_output: float = option(0.0, "Price of a million tokens of answers", low=0, group=LIMITS)
    parallel: int = option(4, "Calls at the same time", low=1, high=64, group=LIMITS)
    retries: int = option(4, "Times that a failed call is tried again", low=0, high=20, group=LIMITS)
    timeout: float = option(60.0, "Seconds that a call may take", low=1, high=3600, group=LIMITS)
    most_cost: float = option(0.0, "Cost that the scoring may not pass; 0 for no limit", low=0, group=LIMITS)

    def __post_init__(self) -> None:
        self.template.check(self.shots)
        if self.endpoint and self.folder:
            raise UserError("The model is at an endpoint or in a folder, not both.", where="folder")

    @property
    def template(self) -> Template:
        return Template(self.system, self.message, self.example)

    @property
    def prices(self) -> tuple[float, float]:
        return self.price_input, self.price_output

    @property
    def calls(self) -> CallOptions:
        """How the model is asked while it is scored."""
        return CallOptions(self.parallel, self.retries, self.timeout, self.most_cost)
