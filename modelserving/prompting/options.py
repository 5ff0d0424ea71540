"""The options of a prompted language model, and its limit of cost. Without torch and client: forms are made of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foundation.errors import UserError
from foundation.options import option
from foundation.translation import translatable
from modelserving.prompting.calls import Limits
from modelserving.prompting.endpoints import SUGGESTIONS
from modelserving.prompting.template import DRAWN, EXAMPLE, MESSAGE, RETRIEVED, SYSTEM, Template
from modelserving.run_context import Answer, RunContext, in_money, most_tokens, price

# The limit of a run's cost: before a call is sent, the most that it can cost is reserved.
#
# A prompt has no more tokens than bytes, beside those that the server's chat template adds, and an answer no more than
# its limit. So the limit holds for calls side by side, and for those whose end nobody hears: these stay counted with
# the most that they can cost. It cannot hold where a server counts more tokens than it was asked for; after a call that
# cost more than its reserve, more is reserved for those that follow.

TEMPLATE = 64  # tokens that a chat template may add to a message
NO_PRICES = "A cost limit needs the prices of tokens: without them the cost of a call is unknown."
SLACK = 1e-9  # of the limit: the error of sums of floats


class Budget:
    """Reserves the most that calls can cost, by the numbers of their requests."""

    def __init__(
        self, context: RunContext, limit: float, prices: tuple[float, float], tokens: int, beside: int = 0
    ) -> None:
        """`limit` is 0 for none, `prices` are of a million tokens in and out, `tokens` the most of an answer.

        A request has up to `beside` tokens that are charged beside its messages: those of a schema.
        """
        check_limit(limit, prices)
        self._beside = price((beside, 0), prices)
        self.context, self.limit, self.prices, self.tokens = context, limit, prices, tokens
        self._held: dict[int, float] = {}
        self._factor = 1.0  # by which calls cost more than can be

    def hold(self, number: int, messages: Sequence[dict[str, Any]], under_way: int) -> bool:
        """Reserve a call's cost; False where it must wait for those under way, a UserError where it cannot be sent."""
        most = self._factor * (worst_cost(messages, self.tokens, self.prices) + self._beside)
        spent = self.context.usage.most
        if self.limit and spent + most > self.limit * (1 + SLACK):
            if under_way:
                return False
            raise UserError(
                "The limit of {limit} is reached: {usage}; one more call can cost up to {most}. Existing answers are "
                "kept; raise the limit to continue.",
                limit=in_money(self.limit),
                usage=self.context.usage,
                most=in_money(most),
                where="most_cost",
            )
        self._held[number] = most
        self.context.hold(most)
        return True

    def release(self, number: int, cost: float) -> None:
        """Count the cost of a call that has ended."""
        held = self._held.pop(number)
        if held:
            self._factor = max(self._factor, self._factor * cost / held)
        self.context.hold(cost - held)

    def forget(self, number: int) -> None:
        """Count all that was reserved for a call that has ended at an unknown cost."""
        self._held.pop(number)


def check_limit(limit: float, prices: tuple[float, float]) -> None:
    """Raise a UserError where there is a limit, but no prices to keep it by."""
    if limit and not any(prices):
        raise UserError(NO_PRICES, where="most_cost")


def worst_cost(messages: Sequence[dict[str, Any]], tokens: int, prices: tuple[float, float]) -> float:
    """The most that a call can cost, with an answer of `tokens`."""
    asked = sum(most_tokens(str(message["content"])) + TEMPLATE for message in messages)
    return price((asked, tokens), prices)


MODEL, PROMPT, EXAMPLES = translatable("Which model"), translatable("Prompt"), translatable("Examples")
ANSWERS, LIMITS = translatable("Answers"), translatable("Limits and cost")
MOST_SHOTS, MOST_SAMPLES = 32, 16


def metric_names() -> list[str]:
    """The names of all metrics."""
    from evaluation.metrics import METRICS

    return METRICS.names()


EFFORTS = ("", "none", "minimal", "low", "medium", "high", "xhigh")
# Fields of a request that the options have, that change what a call may cost, or in which form it is answered.
OWN_FIELDS = frozenset(
    {
        "model", "messages", "temperature", "seed", "top_p", "max_tokens", "max_completion_tokens", "reasoning_effort",
        "response_format", "n", "best_of", "stream", "stream_options", "tools", "functions", "logprobs", "top_logprobs",
        "service_tier", "prompt", "modalities", "audio", "web_search_options", "extra_body", "background", "store",
    }
)  # fmt: skip

SECRETS = frozenset({"key", "api_key", "api-key", "apikey", "authorization"})


def read_extra_body(text: str) -> dict[str, Any]:
    """The further fields of each request; a UserError where the text is no JSON object or names a field of ours."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        told = f", line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else ""
        raise UserError("Expected a JSON object{told}.", told=told, where="extra_body") from None
    if not isinstance(found, dict):
        raise UserError('Expected a JSON object, such as {"top_k": 20}.', where="extra_body")
    for name in found:
        if name in OWN_FIELDS or name.casefold() in SECRETS:
            raise UserError("'{name}' cannot be given here.", name=name[:60], where="extra_body")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


@dataclass(frozen=True)
class CallLimits:
    """How many calls are made, and how long and how dear they may be: none of it changes an answer."""

    parallel: int = option(4, "Calls at the same time", low=1, high=64, group=LIMITS)
    retries: int = option(4, "Times that a failed call is tried again", low=0, high=20, group=LIMITS)
    timeout: float = option(60.0, "Seconds that a call may take", low=1, high=3600, group=LIMITS)
    most_cost: float = option(
        0.0, "Cost that it may not pass, in the money of the prices; 0 for no limit", low=0, group=LIMITS
    )


@dataclass(frozen=True)
class CallOptions(CallLimits):
    """How a model is called: none of it changes an answer."""

    batches: bool = option(
        False, "Send the calls as a batch of the endpoint, which answers within a day and may be cheaper", group=LIMITS
    )

    @property
    def limits(self) -> Limits:
        return Limits(self.parallel, self.retries, self.timeout)


TRANSFORMERS, VLLM = "transformers", "vllm"


@dataclass(frozen=True)
class PromptOptions:
    """The prompt, and the model that is asked. The training's seed draws the examples and is sent with each call."""

    endpoint: str = option("", "Endpoint of this site that has the model", group=MODEL, suggestions=SUGGESTIONS)
    model: str = option("", "Name of the model at the endpoint", group=MODEL)
    folder: str = option(
        "", "Folder of an instruct model below RESTYLE_MODELS, in place of an endpoint", group=MODEL,
        suggestions="model_folders",
    )  # fmt: skip
    engine: str = option(
        TRANSFORMERS, "Engine of a folder's model: transformers, or vLLM, where it is installed", rare=True,
        choices=(TRANSFORMERS, VLLM), group=MODEL,
    )  # fmt: skip
    system: str = option(SYSTEM, "The system prompt", lines=True, group=PROMPT)
    message: str = option(
        MESSAGE,
        "The user prompt, with {source_style}, {target_style}, {text} and {examples}",
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
    effort: str = option(
        "", "How much a reasoning model thinks; empty for its own choice", choices=EFFORTS, group=ANSWERS
    )
    structured: bool = option(
        False, "Ask for JSON with the rewritten text alone, where the endpoint can", group=ANSWERS
    )
    clean: bool = option(
        True, "Take off what stands around a rewrite: quotation marks, 'Here is', notes", group=ANSWERS
    )
    keep_cut: bool = option(False, "Take answers that ended at the most tokens as outputs too", group=ANSWERS)
    extra_body: str = option(
        "", 'Further fields of each request, as JSON: {"top_k": 20}', lines=True, rare=True, group=ANSWERS
    )
    samples: int = option(
        1, "Outputs drawn for a text, of which the best is taken", low=1, high=MOST_SAMPLES, group=ANSWERS
    )
    best_by: str = option(
        "chrf", "Metric that chooses the best; where it needs references, the others are these", choices=metric_names,
        group=ANSWERS,
    )  # fmt: skip
    tune_most: int = option(5, "Tune sources that are rewritten for a score; 0 for none", low=0, group=LIMITS)
    tune_by: str = option("bleu", "Score of the tune outputs", choices=metric_names, group=LIMITS)
    price_input: float = option(0.0, "Price of a million tokens of prompts", low=0, group=LIMITS)
    price_output: float = option(0.0, "Price of a million tokens of answers", low=0, group=LIMITS)
    price_cached: float = option(
        0.0, "Price of a million tokens of prompts that its cache has; 0 for the same", low=0, group=LIMITS
    )
    parallel: int = option(4, "Calls at the same time", low=1, high=64, group=LIMITS)
    retries: int = option(4, "Times that a failed call is tried again", low=0, high=20, group=LIMITS)
    timeout: float = option(60.0, "Seconds that a call may take", low=1, high=3600, group=LIMITS)
    most_cost: float = option(0.0, "Cost that the scoring may not pass; 0 for no limit", low=0, group=LIMITS)

    def __post_init__(self) -> None:
        self.template.check(self.shots)
        if self.endpoint and self.folder:
            raise UserError("The model is at an endpoint or in a folder, not both.", where="folder")
        if self.samples > 1 and not self.temperature:
            raise UserError("Several outputs need a temperature above 0: without, all are the same.", where="samples")
        read_extra_body(self.extra_body)
        for name in ("effort", "structured", "extra_body"):
            if self.folder and getattr(self, name):
                raise UserError("Only an endpoint takes this, not a folder.", where=name)
        if self.endpoint and self.engine != TRANSFORMERS:
            raise UserError("Only a folder takes this, not an endpoint.", where="engine")

    @property
    def template(self) -> Template:
        return Template(self.system, self.message, self.example)

    @property
    def prices(self) -> tuple[float, float]:
        return self.price_input, self.price_output

    @property
    def greatest_prices(self) -> tuple[float, float]:
        """The prices, with the greater one of a prompt's tokens."""
        return max(self.price_input, self.price_cached), self.price_output

    def cost(self, answer: Answer) -> float:
        """The cost of an answer, with the cheaper tokens that the service had in its cache."""
        cached = answer.cached if self.price_cached else 0
        return price((answer.input - cached, answer.output), self.prices) + price((cached, 0), (self.price_cached, 0.0))

    @property
    def calls(self) -> CallOptions:
        """How the model is called while it is scored."""
        return CallOptions(self.parallel, self.retries, self.timeout, self.most_cost)
