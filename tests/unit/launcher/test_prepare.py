"""What is prepared before the web server starts: a site that is meant gets no demo with its known sign-ins."""

import pytest

from launcher import prepare


@pytest.mark.parametrize(
    ("embedded", "demo", "seeded"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_the_demo_goes_only_where_it_is_wanted(settings, monkeypatch, tmp_path, capsys, embedded, demo, seeded):
    settings.EMBEDDED, settings.DEMO, settings.DATA = embedded, demo, tmp_path
    (tmp_path / "postgres").mkdir()
    monkeypatch.setattr("accounts.authentication.require_site_key", lambda: None)
    called = []
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: called.append(name))
    assert prepare.prepare() == 0
    assert called == ["migrate", "collectstatic", *(["seed_demo"] if seeded else [])]
