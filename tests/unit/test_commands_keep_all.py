"""What is given to a command is kept: an option that takes several values takes more when it is named again.

argparse keeps the last ones alone, unless it is told to extend; and it extends a default too, so that has none.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("annotation", "evaluation", "modelserving", "platform", "tools")


def _options_of_several_values():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for call in ast.walk(ast.parse(text)) if "add_argument" in text else ():
                if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "add_argument" or not call.args:
                    continue
                given = {one.arg: one.value for one in call.keywords if one.arg}
                name, many = (getattr(one, "value", None) for one in (call.args[0], given.get("nargs")))
                if str(name).startswith("-") and many in ("+", "*"):
                    yield f"{path.relative_to(ROOT)} {name}", given


def test_an_option_that_is_named_again_keeps_what_was_given_before():
    found = dict(_options_of_several_values())
    assert len(found) >= 8
    for place, given in found.items():
        assert getattr(given.get("action"), "value", "") == "extend", place
        default = given.get("default")
        assert default is None or (isinstance(default, ast.List) and not default.elts), place


@pytest.mark.parametrize("command", ["train", "transfer"])
def test_settings_of_several_options_are_all_kept(command):
    from importlib import import_module

    parser = import_module(f"modelserving.management.commands.{command}").Command().create_parser("manage.py", command)
    given = parser.parse_args(["seq2seq", "--set", "hidden=64", "rate=0.1", "--set", "seed=2"])
    assert given.set == ["hidden=64", "rate=0.1", "seed=2"]
