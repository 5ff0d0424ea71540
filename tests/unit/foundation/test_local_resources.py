"""Files of a lab are named relative to one folder, and nothing outside of it is reached."""

import pytest

from foundation.errors import UserError
from foundation.local_resources import VARIABLE, local_path


@pytest.fixture
def models(tmp_path, monkeypatch):
    (tmp_path / "models" / "bert").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (tmp_path / "models" / "link").symlink_to(tmp_path / "secret")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


def test_a_name_is_looked_for_below_the_folder(models):
    assert local_path("bert") == models.resolve() / "bert"
    assert local_path("bert/../bert") == models.resolve() / "bert"
    assert local_path("roberta") is None


@pytest.mark.parametrize("name", ["..", "../secret", "/etc", "link", "bert/../../secret", "."])
def test_what_leads_out_is_refused(models, name):
    with pytest.raises(UserError, match="leads out of RESTYLE_MODELS"):
        local_path(name)


@pytest.mark.parametrize("name", ["x" * 300, "bert\0"])
def test_what_can_be_no_name_is_not_there(models, name):
    assert local_path(name) is None
