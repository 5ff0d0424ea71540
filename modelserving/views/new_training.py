"""The page that asks for a training: a model, its options, its data and its name."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from accounts.telling import telling
from foundation.errors import UserError
from modelserving.actions.start_training import start_training
from modelserving.forms.options import OptionsForm, SilverForm, typed_values
from modelserving.forms.runs import TrainingForm
from modelserving.models import TrainingRun
from modelserving.presenters import model_kinds
from modelserving.presenters.model_kinds import length_sentences
from modelserving.presenters.training_cost import training_costs
from modelserving.training_runs.prompt_preview import PromptPreview, preview_prompt
from modelserving.training_runs.silver import SilverOptions
from modelserving.transfer import TRANSFERS


@require_POST
def training_prompt(request: Any, study: str) -> HttpResponse:
    """The prompt that the form of a training would make, for one train source."""
    form = TrainingForm(request.POST, study=request.study, names=model_kinds.trained())
    if not form.is_valid():
        return _shown(request, wrong=str(next(iter(form.errors.values()))[0]))
    kind, name = TRANSFERS[form.cleaned_data["model"]], form.cleaned_data["model"]
    options = OptionsForm(kind.Options, name, request.POST, prefix="option")
    if not options.fits():
        field, errors = next(iter(options.errors.items()))
        place = f"{options[field].label}: " if field in options.fields else ""
        return _shown(request, wrong=f"{place}{errors[0]}")
    try:
        chosen = {**vars(kind.choose_options(options.chosen()))}
        asked = form.cleaned_data
        return _shown(request, preview_prompt(kind, request.study, asked["direction"], chosen, asked["seed"]))
    except UserError as error:
        return _shown(request, wrong=str(error))


def _shown(request: Any, preview: PromptPreview | None = None, wrong: str = "") -> HttpResponse:
    return render(request, "modelserving/_prompt.html", {"preview": preview, "wrong": wrong})


LENGTHS = "lengths"  # the element that says how many texts are too long


@require_http_methods(["GET", "HEAD", "POST"])
def training_new(request: Any, study: str) -> HttpResponse:
    """Train a model; htmx asks for the options of the chosen kind, and for the number of texts that are too long.

    A person who chooses a preset, or without scripts asks for the options of another kind, gets the form as typed.
    """
    page = TrainPage(request)
    if request.htmx and page.posted is None:
        return page.before_alone() if request.htmx.target == LENGTHS else page.options_alone()
    counts = "count" in request.POST  # what a browser without scripts asks for
    if page.fits and not counts and (run := page.started()):
        return redirect("training", study=study, training=run.pk)
    return page.whole(page.before(request.POST) if page.fits and counts else {})


class TrainPage:
    """The forms of a request. They are filled with `posted` and checked; values typed before a preset was chosen are
    only their first values."""

    def __init__(self, request: Any) -> None:
        self.request, self.study = request, request.study
        again = "preset" in request.POST or "show" in request.POST
        self.posted = request.POST if request.method == "POST" and not again else None
        self.preset = request.POST.get("preset") if request.method == "POST" else request.GET.get("preset", "")
        self.refused: list[str] = []  # sentences about requested things that do not exist
        self.groups = model_kinds.groups_of(self.study)
        self.kinds = {kind.name: kind for group in self.groups for kind in group.kinds}
        self.ready = {name: kind for name, kind in self.kinds.items() if not kind.lacks}
        self.chosen = self._chosen()
        self._check_preset()
        begun = {**(request.POST.dict() if again else {}), "model": self.chosen}
        self.form = TrainingForm(self.posted, study=self.study, names=model_kinds.trained(), initial=begun)
        self.silver = SilverForm(
            SilverOptions, "silver", self.posted, prefix="silver", study=self.study, beside=self.form,
            begun=typed_values(SilverOptions, "silver", request.POST, prefix="silver"),
        )  # fmt: skip
        self.options = self._options() if self.chosen else None

    def _chosen(self) -> str:
        """The kind that was asked for; else the usual one, or "" where none can be trained."""
        asked = self.request.POST.get("model") or self.request.GET.get("model", "")
        if asked in model_kinds.trained():
            return asked
        if asked and self.posted is None:  # a posted one has its error at the field
            self.refused.append(model_kinds.no_such_model(asked))
        return model_kinds.usual_kind(self.study, self.ready)

    def _check_preset(self) -> None:
        """Refuse a preset that does not exist; the typed values stay."""
        refused = TRANSFERS[self.chosen].refuse_preset(self.preset or "") if self.chosen else None
        if refused:
            self.refused.append(refused.sentence)
            self.preset = None if self.request.method == "POST" else ""

    def _options(self) -> OptionsForm:
        """The options as they were posted; else as they were typed, except those that presets set: these are the
        chosen preset's, or the defaults."""
        kind = TRANSFERS[self.chosen]
        typed = typed_values(kind.Options, self.chosen, self.request.POST, prefix="option")
        begun = {**self._way, **typed}
        if self.preset is not None:
            filled = {name for one in kind.presets.values() for name in one.options}
            begun = {name: value for name, value in begun.items() if name not in filled}
            begun |= kind.presets[self.preset].options if self.preset in kind.presets else {}
        return OptionsForm(
            kind.Options, self.chosen, self.posted, prefix="option", begun=begun, study=self.study, beside=self.silver
        )

    @property
    def _way(self) -> Mapping[str, Any]:
        """The options that the chosen kind begins with, by what the study has."""
        return self.kinds[self.chosen].way.options

    @property
    def fits(self) -> bool:
        """Whether something was posted, with nothing wrong in it."""
        forms = self.form.is_valid() if self.posted is not None else False
        return forms and self.options is not None and self.options.fits() and self.silver.fits()

    def started(self) -> TrainingRun | None:
        """The training, or None and an error at its field."""
        chosen = self.options.chosen() if self.options else {}
        with telling(self.options or self.form):
            return start_training(
                study=self.study, options=chosen, silver=self.silver.chosen(), by=self.request.user,
                **self.form.cleaned_data,
            )  # fmt: skip
        return None

    def before(self, given: Any) -> dict[str, Any]:
        """The context of what is told before it starts: costs, and numbers of texts that the chosen kind finds too
        long under the given options, if these are valid."""
        if not self.chosen:
            return {}
        kind = TRANSFERS[self.chosen]
        options = OptionsForm(kind.Options, self.chosen, given, prefix="option", begun=self._way)
        asked = given.get("direction", "")
        known = asked.isdecimal() and len(asked) < 19
        direction = self.study.directions.filter(pk=asked).first() if known else None
        try:
            if not options.fits():
                return {}
            chosen = kind.choose_options(options.chosen())
            costs = training_costs(
                self.chosen, chosen, self.study, direction, silver=bool(given.get("silver-system", "").strip())
            )
            return {"costs": costs, "lengths": length_sentences(kind, chosen, self.study, direction)}
        except UserError as error:
            return {"lengths": [str(error)]}

    def before_alone(self) -> HttpResponse:
        return render(self.request, "modelserving/_lengths.html", self.before(self.request.GET))

    def options_alone(self) -> HttpResponse:
        """The options, after which the page counts anew."""
        shown = render(
            self.request,
            "modelserving/_options.html",
            {"options": self.options, "refused": self.refused, **self._beside()},
        )
        return trigger_client_event(shown, "options-shown", after="settle")

    def whole(self, before: Mapping[str, Any]) -> HttpResponse:
        context = {
            "form": self.form, "options": self.options, "groups": self.groups, "chosen": self.chosen,
            "ready": self.ready, "lacks": model_kinds.lacks_of(self.groups), **before,
            "refused": self.refused, "silver": self.silver, **self._beside(),
        }  # fmt: skip
        wrong = self.form.is_bound and (
            self.form.errors or self.silver.errors or (self.options and self.options.errors)
        )
        return render(self.request, "modelserving/train.html", context, status=422 if wrong else 200)

    def _beside(self) -> dict[str, Any]:
        """The context beside the options: the presets of a kind that has some, and the address of a prompt's view."""
        if not self.chosen:
            return {}
        presets = model_kinds.presets_of(self.chosen, self.preset)
        options_url = reverse("training_new", args=[self.study.slug])
        here = {"kind": self.kinds[self.chosen], "presets": presets, "options_url": options_url}
        prompts = TRANSFERS[self.chosen].prompts
        return {**here, "prompt_url": reverse("training_prompt", args=[self.study.slug])} if prompts else here
