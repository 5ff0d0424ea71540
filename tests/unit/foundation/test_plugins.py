"""Entries of installed packages: found by their entry points, named after them, refused in a sentence."""

import importlib
import sys

import pytest

from foundation import plugins
from foundation.plugins import PluginError, entry_files
from foundation.registry import Registry, UnknownName


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package with its metadata on the path, as pip would."""
    monkeypatch.syspath_prepend(tmp_path)

    def installed(distribution, points, **files):
        about = tmp_path / f"{distribution.replace('-', '_')}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(
            "[restyle.shapes]\n" + "".join(f"{name} = {package}\n" for name, package in points.items())
        )
        for place, text in files.items():
            file = tmp_path.joinpath(*place.split("__")).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        importlib.invalidate_caches()
        plugins.plugins_of.cache_clear()

    yield installed
    plugins.plugins_of.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] in ("lab_one", "lab_two")]:
        del sys.modules[name]


@pytest.fixture
def shapes(tmp_path):
    folder = tmp_path / "own" / "shapes"
    folder.mkdir(parents=True)
    (folder / "square.py").write_text("")
    return Registry[object]("shape", "own.shapes", folder, attribute="SHAPE")


def test_entries_of_a_package_are_listed_without_an_import_and_loaded_when_asked_for(install, shapes):
    install("lab-one", {"one": "lab_one.shapes"}, lab_one__shapes__circle="SHAPE = 'round'", lab_one__shapes___base="")
    assert shapes.names() == ["square", "one/circle"]
    assert "one/circle" in shapes
    assert not any(name.startswith("lab_one") for name in sys.modules)
    assert shapes["one/circle"] == "round"


def test_a_file_of_a_package_may_hold_a_family_of_entries(install, shapes):
    install("lab-one", {"one": "lab_one.shapes"}, lab_one__shapes__rounds="\nENTRIES = {'disc': 1, 'ring': 2}")
    assert shapes.names() == ["square", "one/disc", "one/ring"]
    assert shapes["one/ring"] == 2


def test_nothing_installed_is_nothing_added(shapes):
    plugins.plugins_of.cache_clear()
    assert shapes.names() == ["square"]


def test_an_unknown_name_of_a_package_offers_the_nearest(install, shapes):
    install("lab-one", {"one": "lab_one.shapes"}, lab_one__shapes__circle="SHAPE = 'round'")
    with pytest.raises(UnknownName, match="did you mean one/circle"):
        shapes["one/cirkle"]
    for outside in ("one/_base", "one/../circle", "two/circle"):
        with pytest.raises(UnknownName):
            shapes[outside]


def test_two_packages_of_one_name_are_refused(install, shapes):
    install("lab-one", {"one": "lab_one.shapes"}, lab_one__shapes__circle="")
    install("lab-two", {"one": "lab_two.shapes"}, lab_two__shapes__circle="")
    with pytest.raises(PluginError) as raised:
        shapes.names()
    assert str(raised.value) == (
        "The installed packages lab-one and lab-two both bring shapes under the name 'one': uninstall one of them."
    )


def test_a_folder_that_is_not_there_is_named(install, shapes):
    install("lab-one", {"one": "lab_one.shapes"})
    with pytest.raises(
        PluginError, match=r"^The package lab-one names the folder lab_one.shapes, which is not there.$"
    ):
        shapes.names()


def test_a_prefix_is_a_name(install, shapes):
    install("lab-one", {"one/two": "lab_one.shapes"}, lab_one__shapes__circle="")
    with pytest.raises(PluginError, match="names its entries 'one/two'"):
        shapes.names()


def test_a_file_that_holds_no_entry_or_another_name_is_refused(install, shapes):
    install(
        "lab-one",
        {"one": "lab_one.shapes"},
        lab_one__shapes__empty="",
        lab_one__shapes__other="class Shape:\n    name = 'other'\nSHAPE = Shape()\n",
    )
    with pytest.raises(PluginError, match=r"^There is no SHAPE in empty.py of the package lab-one.$"):
        shapes["one/empty"]
    with pytest.raises(PluginError, match=r"calls itself 'other': its name must be 'one/other'.$"):
        shapes["one/other"]


def test_an_entry_that_came_or_went_is_seen_at_once(tmp_path):
    (tmp_path / "one.py").write_text("")
    assert dict(entry_files(tmp_path)) == {"one": "one"}
    (tmp_path / "two.py").write_text("")
    assert dict(entry_files(tmp_path)) == {"one": "one", "two": "two"}
    (tmp_path / "one.py").unlink()
    assert dict(entry_files(tmp_path)) == {"two": "two"}
    assert dict(entry_files(tmp_path / "none")) == {}
