from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.fields import MOST_WORDS
from corpora.models import Study, TermsAcceptance
from corpora.studies import check_style_descriptions, check_styles, check_title, refuse_confusing
from foundation.errors import UserError
from foundation.languages import check_language
from foundation.polarity import check_poles, ends_of_styles

PLAIN = ("title", "language", "license", "description", "styles", "unit", "style_words", "poles", "style_descriptions")
ACCESS = ("terms", "terms_version", "required_credentials", "restricted")


@audited
@transaction.atomic
def edit_study(
    *,
    study: Study,
    title: str | None = None,
    language: str | None = None,
    license: str | None = None,
    description: str | None = None,
    styles: Sequence[str] | None = None,
    terms: str | None = None,
    required_credentials: Sequence[str] | None = None,
    restricted: bool | None = None,
    unit: str | None = None,
    style_words: Sequence[str] | None = None,
    poles: Mapping[str, str] | None = None,
    style_descriptions: Mapping[str, str] | None = None,
) -> Study:
    """Change the given fields. Styles may be added; those that are there stay, since directions and answers name them.

    Other terms are a new version, which everybody accepts before they see the texts again. `poles` names the style of
    each end of scales and metrics in this study, such as {"informal": "chat", "formal": "letter"}; where it is not
    given, the names of new styles say it.
    """
    lock_study(study)
    if title is not None:
        check_title(title)
        if title.strip() != study.title:
            refuse_confusing(title, besides=study)
        study.title = title.strip()
    if styles is not None:
        grown = _grown(study.styles, styles)
        if poles is None and set(grown) > set(study.styles):
            poles = {**ends_of_styles(grown), **study.poles}
        study.styles = grown
    study.language = study.language if language is None else check_language(language)
    study.license = study.license if license is None else license
    study.description = study.description if description is None else description
    if terms is not None:
        _set_terms(study, terms.strip())
    if required_credentials is not None:
        study.required_credentials = sorted({_credential(name) for name in required_credentials})
    study.restricted = study.restricted if restricted is None else restricted
    if unit is not None:
        study.unit = _unit(study, unit)
    if style_words is not None:
        study.style_words = _words(style_words)
    if poles is not None:
        study.poles = check_poles(poles, study.styles)
    if style_descriptions is not None:
        study.style_descriptions = check_style_descriptions(style_descriptions, study.styles)
    study.save(update_fields=[*PLAIN, *ACCESS])
    return study


def _set_terms(study: Study, terms: str) -> None:
    """New words are a new version; without words there is nothing to accept."""
    if terms == study.terms:
        return
    highest = TermsAcceptance.objects.filter(study=study).aggregate(highest=Max("version"))["highest"] or 0
    study.terms = terms
    study.terms_version = max(study.terms_version, highest) + 1 if terms else 0


def _unit(study: Study, unit: str) -> str:
    if unit not in Study.Unit.values:
        raise UserError("There is no unit '{unit}'; the units are sentence and document.", unit=unit, where="unit")
    if unit != study.unit and study.campaigns.exists():
        raise UserError("The unit of judgement cannot change when the study has campaigns.", where="unit")
    return unit


def _words(given: Sequence[str]) -> list[str]:
    words = list(dict.fromkeys(" ".join(word.split()) for word in given if word.strip()))
    if len(words) > MOST_WORDS or any(len(word) > 60 for word in words):
        raise UserError(
            "Give at most {most_words:,} style words of at most 60 characters.",
            most_words=MOST_WORDS,
            where="style_words",
        )
    return words


def _credential(name: str) -> str:
    if name != slugify(name) or not name or len(name) > 60:
        raise UserError(
            "A credential has a short name, such as md; found {name!r}.", name=name, where="required_credentials"
        )
    return name


def _grown(old: Sequence[str], new: Sequence[str]) -> list[str]:
    gone = [style for style in old if style not in new]
    if gone:
        raise UserError("The study's styles cannot be removed: {gone}.", gone=", ".join(gone), where="styles")
    check_styles(new)
    return list(new)
