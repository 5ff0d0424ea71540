"""Shipped texts are read in the reader's language, and a researcher's own words stay as written."""

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import translation

from annotation.patient_language import REASONS, RULES
from annotation.shipped_texts import shipped_texts, shown
from annotation.task_types.rate import check_criteria

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_shipped_text_is_translated_and_other_words_stay(code):
    same = {
        "de": {"Normalization", "Stil"},
        "fr": {"Style", "Contradiction", "Ponctuation", "prévention", "pronostic", "Simplicité"},
    }
    with translation.override(code):
        left = {one for one in shipped_texts() if len(one) > 12 and shown(one) == one}
        assert left - same.get(code, set()) == set()
        for own in ("Draft", "Open", "Only statistics, please"):
            assert shown(own) == own
        assert shown(REASONS[0]) != REASONS[0]
        assert shown(RULES[0].partition("\n")[0]) not in RULES[0]


def test_a_criterion_and_a_scale_are_read_in_german_and_own_words_as_written():
    [shipped] = check_criteria({"formality": {"scale": "formality_7"}})
    own = {**shipped, "label": "Draft", "help": "Open"}
    page = Template("{% load work %}{% rating field None 'judged-1-1' 0 %}")
    levels = [{"value": 0, "label": "Draft", "key": "0"}, {"value": 1, "label": "Informal", "key": "1"}]
    with translation.override("de"):
        said = page.render(Context({"field": {"name": "rating-0-formality", "criterion": shipped, "value": None}}))
        assert "Formalität" in said
        assert "Formality" not in said
        scale = Template("{% load work %}{% include 'annotation/work/_rating.html' %}")
        said = scale.render(Context({"levels": levels, "label": own["label"], "help": own["help"], "name": "x"}))
        assert "<span>Draft</span>" in said
        assert "Entwurf" not in said
        assert "<span>Informal</span>" not in said


@pytest.mark.parametrize("code", LANGUAGES)
def test_undo_and_undo_last_differ(code):
    with translation.override(code):
        words = [translation.gettext(word) for word in ("Undo", "Undo last", "Undo the last thing that you did here")]
    assert len({*words}) == 3, words
