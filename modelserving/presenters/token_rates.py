"""How many tokens a model makes of a text, beside what is guessed by its characters: measured where that can be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, FloatField, QuerySet, Sum
from django.db.models.expressions import Combinable, Func
from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Direction, Sentence, Study
from foundation.base_folder import BaseFolder, base_folder
from foundation.errors import UserError
from foundation.side_process import in_side_process
from foundation.translation import grouped
from modelserving.adapters.architectures import ARCHITECTURES
from modelserving.adapters.token_counts import count_tokens
from modelserving.models import ModelAnswer
from modelserving.run_context.token_guess import guess_tokens, most_tokens

LOOKED_AT = 200  # texts that a tokenizer counts for a page
LONGEST = 4_000  # characters of one of them


@dataclass(frozen=True)
class TokenRates:
    """Tokens in and out as times of what is guessed, and a sentence for the page: which of the three it is."""

    input: float
    output: float
    how: str


class Octets(Func):
    """The bytes of a text in UTF-8."""

    function = "octet_length"
    output_field = FloatField()


def guessed(field: str) -> Combinable:
    """`run_context.token_guess.guess_tokens` of a column."""
    return (3.0 * Octets(F(field)) - Length(field, output_field=FloatField())) / 8.0


def rates_of(study: Study, options: Mapping[str, Any], directions: Sequence[Direction]) -> TokenRates:
    """The rates of the model that these options name: by its tokenizer, by what it was asked here, or none known."""
    if options.get("folder"):
        return _of_tokenizer(str(options["folder"]), options, directions)
    return _of_answers(study, f"endpoint:{options.get('endpoint')}|model:{options.get('model')}")


def _of_tokenizer(name: str, options: Mapping[str, Any], directions: Sequence[Direction]) -> TokenRates:
    """Counted of the prompt's own words and some sources, with the folder's tokenizer, beside this process."""
    sources = Sentence.objects.filter(direction__in=directions).order_by("pk")
    texts = [text[:LONGEST] for text in sources.values_list("text", flat=True)[:LOOKED_AT]]
    texts += [str(options.get(part, "")) for part in ("system", "message")]
    try:
        folder: BaseFolder = base_folder(name, ARCHITECTURES)
        tokens = in_side_process(count_tokens, folder.path, texts)
    except UserError:
        return _unknown()
    rate = tokens / max(1.0, sum(guess_tokens(most_tokens(text), len(text)) for text in texts))
    return TokenRates(rate, rate, _("Tokens are counted with the model's own tokenizer, on some of the sources."))


def _of_answers(study: Study, service: str) -> TokenRates:
    """As the service counted the prompts and answers that are kept in this study; each of them once."""
    asked: QuerySet[ModelAnswer] = study.model_answers.filter(service=service, counted=True, guessed__gt=0)
    once = asked.filter(pk__in=asked.order_by("digest", "pk").distinct("digest").values("pk"))
    found = once.aggregate(
        count=Count("pk"), tokens_in=Sum("input"), asked=Sum("guessed"), tokens_out=Sum("output"),
        written=Sum(guessed("text")),
    )  # fmt: skip
    if not found["count"] or not found["written"]:
        return _unknown()
    how = ngettext(
        "Tokens are estimated by the %(count)s answer of this model that is kept in this study, as the endpoint "
        "counted.",
        "Tokens are estimated by the %(count)s answers of this model that are kept in this study, as the endpoint "
        "counted.",
        found["count"],
    ) % {"count": grouped(found["count"])}
    return TokenRates(found["tokens_in"] / found["asked"], found["tokens_out"] / found["written"], how)


def _unknown() -> TokenRates:
    return TokenRates(
        1.0, 1.0,
        _(
            "Tokens are guessed by the characters: a quarter of a token each in English, about one in Chinese or "
            "Japanese."
        ),
    )  # fmt: skip
