"""Sites and tokens: where they are kept, for whom, and what is said where they are missing or broken."""

import os
import stat
from pathlib import Path

import pytest

from restyle import NotSetUp
from restyle.settings import (
    Settings,
    file_of_settings,
    is_open_to_all,
    read_settings,
    site_and_token,
    whole_url,
    write_settings,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("RESTYLE_URL", "RESTYLE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(("typed", "kept"), [
    ("https://restyle.example.org/", "https://restyle.example.org"),
    ("restyle.example.org", "https://restyle.example.org"),
    ("127.0.0.1:8000/api/", "http://127.0.0.1:8000"),
    ("https://lab.example.org/restyle/api", "https://lab.example.org/restyle"),
])  # fmt: skip
def test_an_address_is_kept_in_one_form(typed: str, kept: str) -> None:
    assert whole_url(typed) == kept


@pytest.mark.parametrize("typed", ["", "ftp://x.org", "https://"])
def test_what_is_no_address_is_said(typed: str) -> None:
    with pytest.raises(NotSetUp, match="is not the address of a site"):
        whole_url(typed)


def test_tokens_are_for_their_owner_alone(folder: Path) -> None:
    old = os.umask(0)
    try:
        path = write_settings(Settings("https://a.org", {"https://a.org": "secret"}))
    finally:
        os.umask(old)
    assert path == file_of_settings() == folder / "restyle" / "sites.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["sites.json"]
    assert site_and_token() == ("https://a.org", "secret")


def test_the_environment_and_the_call_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    write_settings(Settings("https://a.org", {"https://a.org": "of-a", "https://b.org": "of-b"}))
    monkeypatch.setenv("RESTYLE_URL", "b.org")
    assert site_and_token() == ("https://b.org", "of-b")
    monkeypatch.setenv("RESTYLE_TOKEN", "other")
    assert site_and_token() == ("https://b.org", "other")
    assert site_and_token("a.org", "mine") == ("https://a.org", "mine")


def test_what_is_missing_is_said() -> None:
    with pytest.raises(NotSetUp, match="restyle login URL"):
        site_and_token()
    with pytest.raises(NotSetUp, match=r"No token for https://a\.org is known"):
        site_and_token("a.org")
    with pytest.raises(NotSetUp, match="copy it again"):
        site_and_token("a.org", "two words")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"site": "x", "tokens": []}', "\0"])
def test_a_broken_file_is_said(folder: Path, content: str) -> None:
    (folder / "restyle").mkdir()
    (folder / "restyle" / "sites.json").write_text(content)
    with pytest.raises(NotSetUp, match=r"sites\.json cannot be read"):
        read_settings()


def test_plain_text_on_the_way_is_told_from_this_machine() -> None:
    assert is_open_to_all("http://lab.example.org")
    assert not is_open_to_all("http://127.0.0.1:8000")
    assert not is_open_to_all("https://lab.example.org")
