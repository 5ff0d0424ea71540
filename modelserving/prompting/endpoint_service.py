"""A language model at an endpoint: what was answered before is not asked again, and nothing is sent unchecked."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from foundation.errors import UserError
from modelserving.prompting.budget import Budget
from modelserving.prompting.calls import Asker, Calls
from modelserving.prompting.endpoints import Endpoint, endpoint_named
from modelserving.prompting.kept_answers import Coming, Found, in_order
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import Messages
from modelserving.run_context.context import Answer, Asked, RunContext
from modelserving.run_context.token_guess import guess_of
from modelserving.run_context.usage import price


class EndpointService:
    """Asks one model of one endpoint. Connections stay open from one list of prompts to the next."""

    def __init__(self, options: PromptOptions, seed: int) -> None:
        self.options, self.seed = options, seed
        self._idle: dict[float, list[Asker]] = {}

    def answers(self, prompts: Sequence[Messages], context: RunContext, asked: CallOptions) -> Iterator[Found]:
        """What each prompt gets, in their order; equal ones are asked once. A UserError where none gets any."""
        endpoint = endpoint_named(self.options.endpoint)
        endpoint.check_model(self.options.model)
        digests = [digest(endpoint, self.request(endpoint, prompt)) for prompt in prompts]
        return in_order(prompts, digests, context, lambda new: self._asked(endpoint, new, context, asked))

    def signed(self) -> str:
        """The endpoint, and the model that is asked for."""
        return f"endpoint:{self.options.endpoint}|model:{self.options.model}"

    def _asked(self, endpoint: Endpoint, new: dict[str, Messages], context: RunContext, asked: CallOptions) -> Coming:
        """Ask, and keep each answer as it comes."""
        keys = list(new)
        requests = [self.request(endpoint, prompt) for prompt in new.values()]
        prices, service = self.options.prices, self.signed()
        budget = Budget(context, asked.most_cost, prices, self.options.most_tokens)

        def new_asker() -> Asker:
            from modelserving.prompting.connection import Connection

            return Connection(endpoint, asked.timeout)

        calls = Calls(new_asker, self._idle.setdefault(asked.timeout, []), endpoint.name, asked.limits)
        for number, found in calls.answers(requests, Guard(endpoint, requests, context, budget), context.step):
            if isinstance(found, Answer):
                guessed = guessed_input(requests[number])
                found = with_tokens(found, guessed)
                cost = price((found.input, found.output), prices)
                if found.counted:
                    budget.release(number, cost)
                else:
                    budget.forget(number)
                context.keep(keys[number], found, cost, Asked(service, guessed))
                self._check_model(context)
            yield keys[number], found

    def request(self, endpoint: Endpoint, prompt: Messages) -> dict[str, Any]:
        """The request of the chat completions."""
        chosen = self.options
        request = {
            "model": chosen.model, "messages": prompt, "temperature": chosen.temperature, "seed": self.seed,
            endpoint.tokens: chosen.most_tokens,
        }  # fmt: skip
        return request if chosen.top_p == 1 else {**request, "top_p": chosen.top_p}

    def _check_model(self, context: RunContext) -> None:
        models = context.usage.models
        if len(models) > 1:
            raise UserError(
                "The endpoint {endpoint} answered as {models} before, and as {other} now; outputs of "
                "two models are no one system's. Train with another seed to ask again.",
                endpoint=self.options.endpoint,
                models=models[0],
                other=models[1],
            )


class Guard:
    """Lets a call be sent where the study's terms and the limit of cost allow it."""

    def __init__(self, endpoint: Endpoint, requests: Sequence[Any], context: RunContext, budget: Budget) -> None:
        self.endpoint, self.requests, self.context, self.budget = endpoint, requests, context, budget

    def open(self, number: int, under_way: int) -> bool:
        if not self.endpoint.local:
            self.context.permit(self.endpoint.name)
        return self.budget.hold(number, self.requests[number]["messages"], under_way)

    def close(self, number: int, free: bool) -> None:
        if free:
            self.budget.release(number, 0.0)
        else:
            self.budget.forget(number)


def digest(endpoint: Endpoint, request: dict[str, Any]) -> str:
    """SHA-256 of all that an answer depends on: the address, the model, the prompt, the settings."""
    whole = json.dumps([endpoint.name, endpoint.url, request], ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()


def guessed_input(request: dict[str, Any]) -> int:
    """About how many tokens the messages of a request have, by their characters."""
    return sum(guess_of(message["content"]) for message in request["messages"])


def with_tokens(answer: Answer, guessed: int) -> Answer:
    """The answer with its tokens, about as many as they are where the server does not count."""
    if answer.input or answer.output:
        return answer
    return replace(answer, input=guessed, output=guess_of(answer.text), counted=False)
