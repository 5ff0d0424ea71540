"""What every kind of work keeps to."""

import pytest
from django.core.exceptions import ValidationError

from annotation.forms.campaign import SettingsForm
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError


@pytest.mark.parametrize("name", TASK_TYPES.names())
def test_defaults_pass_their_own_check(name: str) -> None:
    task_type = TASK_TYPES[name]
    settings = task_type.check_settings({})
    assert set(settings) == set(task_type.defaults)
    assert task_type.check_settings(task_type.defaults) == settings
    assert task_type.check_settings(settings) == settings
    assert task_type.template == f"annotation/work/{name}.html"
    assert task_type.label
    assert task_type.verb


NUMBERS = [(name, key) for name in TASK_TYPES.names() for key in TASK_TYPES[name].bounds]


@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_the_form_takes_the_numbers_that_the_check_takes(name: str, key: str) -> None:
    task_type = TASK_TYPES[name]
    low, high = task_type.bounds[key]
    field = SettingsForm(None, prefix="settings", entry=task_type).fields[key]
    for number in (low, high):
        assert field.clean(str(number)) == task_type.check_settings({key: number})[key] == number
    for number in (low - 1, high + 1):
        with pytest.raises(ValidationError):
            field.clean(str(number))
        with pytest.raises(UserError, match=f"^{key}: Expected a whole number from {low} to {high}"):
            task_type.check_settings({key: number})
