"""Run a model over the study's sources, or over a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Avg, Count, F, FloatField, QuerySet, Sum
from django.db.models.expressions import Combinable, Func
from django.db.models.functions import Length
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.telling import TellingForm, go_on, telling
from corpora.models import Direction, Reference, Sentence, Study
from foundation.base_folder import BaseFolder, base_folder
from foundation.errors import UserError
from foundation.options import options_as_stored
from foundation.side_process import in_side_process
from foundation.translation import grouped
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.adapters.chat import count_tokens
from modelserving.adapters.options import ARCHITECTURES
from modelserving.artifacts import result_download
from modelserving.forms.options import OptionsForm
from modelserving.forms.runs import FileRunForm, RunForm
from modelserving.models import ModelAnswer
from modelserving.ready_models import Candidate, serving
from modelserving.run_context import guess_of, guess_tokens, in_money, most_tokens, price

# An estimate of the cost of a prompted language model's run, shown before it is queued.

LOOKED_AT = 200  # texts that a tokenizer counts for a page
LONGEST = 4_000  # characters of one of them


@dataclass(frozen=True)
class TokenRates:
    """Tokens in and out as multiples of the guess, and a sentence for the page: which of the three they are."""

    input: float
    output: float
    how: str


class Octets(Func):
    """The bytes of a text in UTF-8."""

    function = "octet_length"
    output_field = FloatField()


def guessed(field: str) -> Combinable:
    """`run_context.guess_tokens` of a column."""
    return (3.0 * Octets(F(field)) - Length(field, output_field=FloatField())) / 8.0


def rates_of(study: Study, options: Mapping[str, Any], directions: Sequence[Direction]) -> TokenRates:
    """The rates of the model that these options name: by its tokenizer, by its earlier answers here, or none known."""
    if options.get("folder"):
        return _of_tokenizer(str(options["folder"]), options, directions)
    return _of_answers(study, f"endpoint:{options.get('endpoint')}|model:{options.get('model')}")


def _of_tokenizer(name: str, options: Mapping[str, Any], directions: Sequence[Direction]) -> TokenRates:
    """The rates of the prompt's own words and some sources by the folder's tokenizer, counted beside this process."""
    sources = Sentence.objects.filter(direction__in=directions).order_by("pk")
    texts = [text[:LONGEST] for text in sources.values_list("text", flat=True)[:LOOKED_AT]]
    texts += [str(options.get(part, "")) for part in ("system", "message")]
    try:
        folder: BaseFolder = base_folder(name, ARCHITECTURES)
        tokens = in_side_process(count_tokens, folder.path, texts)
    except UserError:
        return _unknown()
    rate = tokens / max(1.0, sum(guess_tokens(most_tokens(text), len(text)) for text in texts))
    return TokenRates(rate, rate, _("The model's own tokenizer counts the tokens, on a sample of the sources."))


def _of_answers(study: Study, service: str) -> TokenRates:
    """The rates by the service's counts of the prompts and answers kept in this study; each counts once."""
    asked: QuerySet[ModelAnswer] = study.model_answers.filter(service=service, counted=True, guessed__gt=0)
    once = asked.filter(pk__in=asked.order_by("digest", "pk").distinct("digest").values("pk"))
    found = once.aggregate(
        count=Count("pk"), tokens_in=Sum("input"), asked=Sum("guessed"), tokens_out=Sum("output"),
        written=Sum(guessed("text")),
    )  # fmt: skip
    if not found["count"] or not found["written"]:
        return _unknown()
    how = ngettext(
        "Tokens are estimated from %(count)s stored answer of this model in this study, as the endpoint counted it.",
        "Tokens are estimated from %(count)s stored answers of this model in this study, as the endpoint counted them.",
        found["count"],
    ) % {"count": grouped(found["count"])}
    return TokenRates(found["tokens_in"] / found["asked"], found["tokens_out"] / found["written"], how)


def _unknown() -> TokenRates:
    return TokenRates(
        1.0, 1.0,
        _(
            "Tokens are estimated from the characters: a quarter of a token per character in English, about one "
            "in Chinese or Japanese."
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """The estimate for one split: a call for each source, tokens in and out, the cost in words ("" without prices)."""

    split: str
    calls: int
    input: int
    output: int
    cost: str


@dataclass(frozen=True)
class Estimates:
    """The estimates for all splits and for each that has sources, and a sentence that says how tokens were counted."""

    rows: Sequence[Estimate]
    how: str


def run_estimates(study: Study, chosen: Candidate) -> Estimates | None:
    """The cost of a run; None for a model without cost and tokens, or where there are no sources."""
    if not chosen.kind.prompts or chosen.checkpoint is None:
        return None
    options: Mapping[str, Any] = chosen.checkpoint.manifest["options"]
    directions = [one for one in study.directions.all() if chosen.serves(one)]
    sources = Sentence.objects.filter(direction__in=directions)
    rows = list(sources.values("split").annotate(calls=Count("pk"), tokens=Sum(guessed("text"))).order_by())
    if not rows:
        return None
    around, rates = _around(options, directions), rates_of(study, options, directions)
    whole = {"split": "", "calls": sum(row["calls"] for row in rows), "tokens": sum(row["tokens"] for row in rows)}
    labels = {"": _("All splits"), **{str(value): str(label) for value, label in Sentence.Split.choices}}
    in_order = sorted(rows, key=lambda row: list(labels).index(row["split"]))
    listed = [whole, *(row for row in in_order if row["split"] and row["calls"] < whole["calls"])]
    return Estimates([_of(row, labels[row["split"]], around, rates, options) for row in listed], rates.how)


def _of(
    row: Mapping[str, Any], label: str, around: float, rates: TokenRates, options: Mapping[str, Any]
) -> Estimate:  # fmt: skip
    samples = int(options.get("samples", 1))
    calls, texts = row["calls"] * samples, row["tokens"] * samples
    tokens = round((texts + calls * around) * rates.input), round(texts * rates.output)
    prices = float(options.get("price_input", 0)), float(options.get("price_output", 0))
    return Estimate(label, calls, *tokens, in_money(price(tokens, prices)) if any(prices) else "")


def _around(options: Mapping[str, Any], directions: Sequence[Direction]) -> float:
    """A guess of a prompt's tokens beside its text: the template, and examples as long as the train split's pairs."""
    template = sum(guess_of(text) for name in ("system", "message") if (text := str(options.get(name, ""))))
    shots = int(options.get("shots", 0))
    if not shots:
        return template
    pairs = Reference.objects.filter(set__direction__in=directions, sentence__split=Sentence.Split.TRAIN)
    length = pairs.aggregate(length=Avg(guessed("text") + guessed("sentence__text")))["length"] or 0
    return template + shots * (length + guess_of(str(options.get("example", ""))))


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_new(request: Any, study: str) -> HttpResponse:
    """Run a model on the study's texts; its outputs become a system."""
    candidates = serving(request.study)
    if not candidates:
        return _none_serves(request)
    chosen = _chosen(request, candidates)
    posted = request.POST if request.method == "POST" else None
    form = RunForm(posted, study=request.study, candidates=candidates, initial=_begun(request.study, chosen))
    options = decoding_form(chosen, posted, form)
    if form.is_bound and form.is_valid() and options.fits():
        given = {key: form.cleaned_data[key] for key in ("name", "direction", "split")}
        run = _started(options, start_transfer, chosen, study=request.study, by=request.user, **given)
        if run is not None:
            return redirect("job", study=study, job=run.job_id)
    return _page(request, "modelserving/new.html", form, options, chosen)


@require_http_methods(["GET", "HEAD", "POST"])
def transfer_file(request: Any, study: str) -> HttpResponse:
    """Run a model on an uploaded file."""
    candidates = serving(request.study)
    if not candidates:
        return _none_serves(request)
    chosen = _chosen(request, candidates)
    form = FileRunForm(request=request, study=request.study, candidates=candidates, initial={"model": chosen.key})
    options = decoding_form(chosen, request.POST if request.method == "POST" else None, form)
    if form.is_bound and form.is_valid() and options.fits():
        given = {key: form.cleaned_data[key] for key in ("file", "direction")}
        run = _started(options, start_file_transfer, chosen, study=request.study, by=request.user, **given)
        if run is not None:
            said = _("The file is queued; the job's page has the result when it is done.")
            return go_on(request, said, "job", study=study, job=run.job_id)
    return _page(request, "modelserving/new_file.html", form, options, chosen)


@require_safe
def transfer_result(request: Any, study: str, transfer: int) -> StreamingHttpResponse:
    """The output of a run over its file."""
    run = get_object_or_404(request.study.transfer_runs, pk=transfer)
    if not run.result:
        raise Http404
    return result_download(run)


def decoding_form(chosen: Candidate, posted: Any, form: TellingForm) -> OptionsForm:
    """How the chosen model rewrites; its first values suit this machine, and the preset that it was trained by."""
    usual = options_as_stored(chosen.kind.usual_decoding())
    if chosen.checkpoint is not None:
        usual |= chosen.kind.recipes_decoding(chosen.checkpoint.manifest["options"])
    return OptionsForm(chosen.kind.Decoding, chosen.key, posted, prefix="decoding", begun=usual, beside=form)


def _chosen(request: Any, candidates: list[Candidate]) -> Candidate:
    """The model that was asked for; the first if none was, or if it does not exist."""
    asked = request.POST.get("model") or request.GET.get("model", "")
    return next((one for one in candidates if one.key == asked), candidates[0])


def _refused(request: Any, chosen: Candidate) -> list[str]:
    """A sentence if an address names a model that cannot run here; a posted one has its error at the field."""
    asked = request.GET.get("model") or chosen.key
    if request.method == "POST" or asked == chosen.key:
        return []
    return [_("No such model serves a direction of this study; choose one of these.")]


def _none_serves(request: Any) -> HttpResponse:
    messages.warning(request, _("No model serves a direction of this study: train one, or import a checkpoint."))
    return redirect("study_models", request.study.slug)


def _begun(study: Study, chosen: Candidate) -> dict[str, str]:
    """The first values of the form: a trained model runs on the test split, under its own name."""
    if chosen.checkpoint is None:
        return {"model": chosen.key}
    tested = Sentence.objects.filter(direction__study=study, split=Sentence.Split.TEST).exists()
    return {"model": chosen.key, "name": chosen.name[:100], "split": Sentence.Split.TEST if tested else ""}


def _started(options: OptionsForm, action: Any, chosen: Candidate, **given: Any) -> Any:
    """The run; None if it was refused, which the forms then say."""
    model = {"checkpoint": chosen.checkpoint} if chosen.checkpoint else {"model": chosen.model}
    with telling(options):
        return action(**model, settings=options.chosen(), **given)
    return None


def _page(request: Any, template: str, form: TellingForm, options: OptionsForm, chosen: Candidate) -> HttpResponse:
    """The page with its forms; htmx, which asks with another model, gets only the options."""
    estimate = run_estimates(request.study, chosen) if isinstance(form, RunForm) else None
    shown = {"options": options, "estimate": estimate, "refused": _refused(request, chosen)}
    if request.htmx and request.method == "GET":
        return render(request, "modelserving/_options.html", shown)
    context = {"form": form, **shown}
    wrong = form.is_bound and (form.errors or options.errors)
    return render(request, template, context, status=422 if wrong else 200)
