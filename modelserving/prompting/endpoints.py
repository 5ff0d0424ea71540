"""The addresses of language models, named in the environment by the people who run the site; nobody types one.

RESTYLE_LANGUAGE_MODELS="lab=http://gpu1:8000/v1 models=llama-3.1-8b local=1; hosted=https://api.example.org/v1"
RESTYLE_LANGUAGE_MODEL_KEYS="hosted=sk-..."

`models` are the only ones that may be asked for (without it, any), `local=1` says that texts sent there stay with the
lab, and `tokens` is the server's name for the most tokens of an answer.
"""

import os
import re
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urlsplit

from foundation.errors import UserError

SUGGESTIONS = "endpoints"
VARIABLE, KEYS = "RESTYLE_LANGUAGE_MODELS", "RESTYLE_LANGUAGE_MODEL_KEYS"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
NOWHERE = "This site has no endpoint of language models; ask its operator to set one up."
LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True)
class Endpoint:
    """A server that speaks OpenAI's chat completions below `url`. Its key is shown nowhere."""

    name: str
    url: str = field(repr=False)
    models: tuple[str, ...] = ()
    local: bool = False
    tokens: str = LIMITS[0]
    key: str = field(default="", repr=False)

    def check_model(self, model: str) -> None:
        """Raise a UserError where it has no such model, as far as that is known."""
        if not model.strip():
            known = f": {', '.join(self.models)}" if self.models else ""
            raise UserError("Name the model of the endpoint {name}{known}.", name=self.name, known=known, where="model")
        if self.models and model not in self.models:
            raise UserError(
                "The endpoint {name} has no model '{model}'; it has {models}.",
                name=self.name,
                model=model,
                models=", ".join(self.models),
                where="model",
            )


def endpoints() -> dict[str, Endpoint]:
    """The site's endpoints by name; a UserError where the settings cannot be read."""
    return _read(os.environ.get(VARIABLE, ""), os.environ.get(KEYS, ""))


def endpoint_names() -> list[str]:
    """The names of the site's endpoints; none where the settings cannot be read."""
    try:
        return list(endpoints())
    except UserError:
        return []


def endpoint_named(name: str) -> Endpoint:
    """The endpoint; a UserError where the site has none of that name."""
    there = endpoints()
    if name in there:
        return there[name]
    if not there:
        raise UserError(NOWHERE, where="endpoint")
    raise UserError(
        "This site has no endpoint '{name}'; it has {there}.", name=name, there=", ".join(there), where="endpoint"
    )


@cache
def _read(named: str, keys: str) -> dict[str, Endpoint]:
    secrets = dict(_pair(part, KEYS, secret=True) for part in keys.split())
    found: dict[str, Endpoint] = {}
    for entry in filter(str.strip, named.split(";")):
        endpoint = _endpoint(entry.split(), secrets)
        if endpoint.name in found:
            raise UserError("The endpoint {name} is there twice.", name=endpoint.name, where=VARIABLE)
        found[endpoint.name] = endpoint
    if unknown := sorted(set(secrets) - set(found)):
        raise UserError("There is no endpoint {unknown}.", unknown=", ".join(unknown), where=KEYS)
    return found


def _endpoint(parts: list[str], secrets: dict[str, str]) -> Endpoint:
    name, url = _pair(parts[0], VARIABLE)
    given = dict(_pair(part, f"{VARIABLE}, {name}") for part in parts[1:])
    for key in given:
        if key not in ("models", "local", "tokens"):
            raise UserError(
                "There is no key '{key}'; the keys are models, local and tokens.", key=key, where=f"{VARIABLE}, {name}"
            )
    models = tuple(filter(None, given.get("models", "").split(",")))
    tokens, local = given.get("tokens", LIMITS[0]), given.get("local", "0")
    if tokens not in LIMITS or local not in ("0", "1"):
        raise UserError(
            "local must be 0 or 1, and tokens one of {limits}.", limits=", ".join(LIMITS), where=f"{VARIABLE}, {name}"
        )
    return Endpoint(name, _address(url, name), models, local == "1", tokens, secrets.get(name, ""))


def _pair(part: str, where: str, secret: bool = False) -> tuple[str, str]:
    """The name and the value of 'name=value'. Errors reveal no secret."""
    name, sign, value = part.partition("=")
    if not NAME.fullmatch(name) or not sign or not value:
        shown = "" if secret else f", not '{part}'"
        raise UserError("Expected NAME=VALUE{shown}.", shown=shown, where=where)
    return name, value


def _address(url: str, name: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        fits = fits and not (parts.username or parts.password or parts.query or parts.fragment)
    except ValueError:
        fits = False
    if not fits:
        raise UserError(
            "Its address is http:// or https:// with a host, without a password or a question mark.",
            where=f"{VARIABLE}, {name}",
        )
    return url.rstrip("/")
