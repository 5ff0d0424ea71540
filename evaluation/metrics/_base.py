"""The contract of a metric: texts in, one number for the whole and one a sentence out, with a signature.

A corpus score is computed from sufficient statistics, sums over the sentences (matching n-grams, edits, words). So the
corpus score of any resample of the sentences is computed without scoring them again.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.languages import UNNAMED, primary
from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metric_contract import (
    CONTRACT,
    MATERIAL,
    Floats,
    MetricInput,
    Scores,
    Setting,
    exact_sums,
    mean_of_sums,
    no_scores,
    require,
)
from evaluation.ngrams import BY_LANGUAGE, missing_tokenizer
from foundation import model_folders
from foundation.errors import UserError
from foundation.options import Option
from foundation.papers import Paper
from foundation.polarity import Poles
from foundation.translation import translatable, translate, translated

__all__ = ["CONTRACT", "MATERIAL", "Floats", "Metric", "MetricInput", "ModelMetric", "Scores", "Setting"]

LEARNT = frozenset({"texts", "rated", "preferences"})
NO_SENTENCE = "None of the sentences has a score."
NAMELESS = translatable(
    "The study names no language, and its texts are not in Latin letters: say which language they are in (on the page "
    "Edit the study)."
)
OTHER_LANGUAGE = translatable(
    "{label} is not defined for the study's language, {language}, but for {known}: {because}."
)


class Metric(ABC):
    """A metric with its source and its settings. Stateless: one instance serves all.

    Attributes:
        name: The name of the file.
        label: Its name in tables and on pages.
        paper: Who proposed it.
        unit: The kind of the numbers, and their range.
        version: Counts changes of our own arithmetic. Stored scores of another version are computed again.
        needs: The parts that an input must have: sources, references, styles, terms, link. The material's are texts,
            rated, style_words and preferences.
        higher_is_better: Which end is the better one. It is None if neither is.
        poles: The styles that its low and its high end mean, if it measures one style against another. The better end
            then follows from a direction (`foundation.poles`) alone.
        defaults: Its settings. A setting is of the kind of its default: yes or no, a number, or a text. A text without
            `choices` is the name of a file or folder below RESTYLE_MODELS (`foundation.local_resources`).
        choices: The texts that a setting may be. Without them any is allowed.
        bounds: The lowest and highest value of a number. Both are included.
        aspect: The aspect of people's criteria that it stands for, one of `foundation.aspects.ASPECTS`.
        languages: The languages that it is defined for, by the first part of their tags. If empty, it is defined for
            all.
        because: The reason for these languages, in half a sentence.
        by_language: The values by language of settings that may be "language".
        asks: The "network" or "program" that it asks for each text; "" for none.
    """

    name: str
    label: str
    paper: Paper
    unit: str
    version = 1
    needs: frozenset[str] = frozenset()
    higher_is_better: bool | None = None
    poles: Poles | None = None
    defaults: Mapping[str, Setting] = {}
    choices: Mapping[str, Sequence[str]] = {}
    bounds: Mapping[str, tuple[float, float]] = {}
    aspect: str = "overall"
    languages: frozenset[str] = frozenset()
    because: str = ""
    by_language: Mapping[str, Callable[[str], Setting]] = {}
    asks: Literal["", "network", "program"] = ""

    @property
    def cost(self) -> str:
        """How it comes by its numbers, which says how long it takes: what it asks; it "learns" from the study's own
        texts or judgements first; else it "counts"."""
        return self.asks or ("learns" if self.needs & LEARNT else "counts")

    def score(self, batch: MetricInput, **settings: object) -> Scores:
        """Score a system's outputs.

        Args:
            batch: The n outputs and what they are scored against.
            **settings: Settings other than the defaults.

        Returns:
            The scores of the whole and of each sentence; none, and why, in a language that it is not defined for.

        Raises:
            UserError: A setting is unknown, or the input lacks what the metric needs.
        """
        require(batch, self.needs, self.name)
        if why := self.undefined_for(batch.language, **settings):
            return no_scores(len(batch.outputs), why)
        chosen = self._resolved(self.settings(**settings), batch.language)
        scores = self._score(batch, chosen)
        corpus = float(self.corpus_of(exact_sums(scores.sufficient_statistics)))
        why = scores.undefined or ("" if math.isfinite(corpus) else NO_SENTENCE)
        signature = self._sign(chosen, batch.language, batch)
        return replace(
            scores, corpus=None if why else corpus, undefined=why, signature=signature, corpus_of=self.corpus_of
        )

    def corpus_of(self, sums: Floats) -> Floats:
        """Corpus scores of sums over sentences; here the sentences' mean.

        Args:
            sums: float64 (..., k), sufficient statistics summed over the sentences of each resample.

        Returns:
            float64 (...), one score a resample; finite or NaN, without a warning, where that has no sentence.
        """
        return mean_of_sums(sums)

    def unavailable(self, **settings: object) -> str:
        """Why this machine cannot compute it under these settings, as a sentence that says what to install; "" where
        it can."""
        return ""

    def undefined_for(self, language: str, **settings: object) -> str:
        """Why it is not defined for texts in a language under these settings, as a sentence; "" where it is."""
        chosen = self.settings(**settings)
        asks = self.languages or any(chosen[key] == BY_LANGUAGE for key in self.by_language)
        if asks and primary(language) == UNNAMED:
            return translated(NAMELESS)
        if self.languages and primary(language) not in self.languages:
            known, because = ", ".join(sorted(self.languages)), translated(self.because)
            return translate(OTHER_LANGUAGE, label=self.label, language=language, known=known, because=because)
        return self._undefined_for(language, self._resolved(chosen, language))

    def signature(self, language: str = "", **settings: object) -> str:
        """The signature for texts in a language under these settings, as 'key:value|key:value'.

        The signature of scores holds `nrefs` as well.
        """
        return self._sign(self._resolved(self.settings(**settings), language), language, None)

    def option(self, key: str) -> Option:
        """A setting as an option, of which its form and its check are made."""
        low, high = self.bounds.get(key, (None, None))
        return Option(
            key, self.defaults[key], "", low=low, high=high, choices=tuple(self.choices.get(key, ())), characters=300,
            label=key.replace("_", " "), labels=tuple(self.choices.get(key, ())),
        )  # fmt: skip

    def settings(self, **settings: object) -> dict[str, Setting]:
        """All settings, the defaults filled in. UserError names the key and what is expected."""
        chosen = dict(self.defaults)
        for key, value in settings.items():
            chosen[key] = self._checked(key, value)
        return chosen

    @abstractmethod
    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        """Score an input that holds at least one output and all that the metric needs, in a language that it is defined
        for. `chosen` are the settings and the `language`.

        A sentence's score is the same to the last digit whatever outputs stand beside it and wherever it stands: two
        systems that wrote the same are tied. A metric whose corpus score is not the mean of its sentences returns
        `sufficient_statistics` too, and has a `corpus_of` of its own.
        """

    @abstractmethod
    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """The metric's own parts of the signature: case, tokenizer, library and its version."""

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        """The metric's own reasons, and a tokenizer that is not there."""
        return missing_tokenizer(str(chosen.get("tokenize", "")))

    def _resolved(self, chosen: Mapping[str, Setting], language: str) -> dict[str, Setting]:
        """The settings with those that the language decides, and the language."""
        decided = {key: of(language) for key, of in self.by_language.items() if chosen[key] == BY_LANGUAGE}
        return {**chosen, **decided, "language": language}

    def _sign(self, chosen: Mapping[str, Setting], language: str, batch: MetricInput | None) -> str:
        parts = {"metric": self.name} | ({"lang": language} if language else {})
        if batch is not None and "references" in self.needs:
            parts["nrefs"] = batch.reference_count()
        parts |= self._signed(chosen) | {"restyle": f"{self.name}.{self.version}"}
        if batch is not None and batch.material is not None:
            parts |= self._signed_material(chosen, batch.material)
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def _signed_material(self, chosen: Mapping[str, Setting], material: TrainingMaterial) -> dict[str, str]:
        """The training data of a metric that `needs` texts, ratings or preferences."""
        parts: dict[str, str] = {}
        if "texts" in self.needs:
            parts |= {"texts": material.digest("texts")[:8], "origin": material.origin}
        if "rated" in self.needs:
            parts["rated"] = material.digest("rated")[:8]
        if "preferences" in self.needs:
            parts["preferences"] = material.digest("preferences")[:8]
        return parts

    def _checked(self, key: str, value: object) -> Setting:
        where = f"metrics.{self.name}.{key}"
        if key not in self.defaults:
            known = ", ".join(self.defaults) or "none"
            raise UserError(
                "There is no such setting; {name} has the settings {known}.",
                name=self.name,
                known=known,
                where=where,
            )
        checked: Setting = self.option(key).check(value, f"metrics.{self.name}.")
        return checked


class ModelMetric(Metric):
    """A metric that asks a network in a folder below RESTYLE_MODELS, which its setting `model` names.

    `parts` are the settings that its signature names beside the model.
    """

    asks = "network"
    defaults: Mapping[str, Setting] = {"model": ""}
    parts: Sequence[str] = ()

    def unavailable(self, **settings: object) -> str:
        return model_folders.why_unavailable(str(self.settings(**settings)["model"]))

    def folder(self, chosen: Mapping[str, Setting]) -> Path:
        """The model's folder. UserError: it is not there."""
        return model_folders.required_folder(str(chosen["model"]), self._where)

    def of_each(self, batch: MetricInput, score_of: Callable[[int], float]) -> Scores:
        """The scores of outputs by their places; an empty one has none, whatever a model says of nothing."""
        values = [score_of(place) if text.strip() else math.nan for place, text in enumerate(batch.outputs)]
        return Scores(np.array(values))

    @property
    def _where(self) -> str:
        return f"metrics.{self.name}.model"

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return unsuited(model_folders.model_folder(str(chosen["model"]), self._where), language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        folder = model_folders.model_folder(str(chosen["model"]), self._where)
        safe = model_folders.signature_safe
        if folder is None:
            named = f"none-{safe(str(chosen['model']))}"
        else:
            named = f"{safe(model_folders.model_name(folder))}_{model_folders.weights_digest(folder)}"
        return {"model": named, **{part: str(chosen[part]) for part in self.parts}}
