"""What every kind of work keeps to."""

import pytest

from annotation.task_types import TASK_TYPES


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
