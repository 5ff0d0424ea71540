"""The lines of a sweep's form: a value, several, or a range."""

from dataclasses import dataclass

import pytest

from foundation.options import option
from modelserving.forms.sweeps import VaryForm


@dataclass(frozen=True)
class Options:
    hidden: int = option(256, "Size", low=1, high=4096)
    rate: float = option(0.001, "Rate", low=0.0, high=10.0)
    optimizer: str = option("adam", "Optimizer", choices=("adam", "sgd"))
    rules: bool = option(True, "Rules first")
    prefix: str = option("", "Prefix")
    tune_by: str = option("bleu", "Score", choices=("perplexity", "bleu"))


def form(**lines):
    return VaryForm(
        Options, "m", {"vary-shown": "m", **{f"vary-{key}": line for key, line in lines.items()}}, beside=None
    )


@pytest.mark.parametrize(
    ("lines", "fixed", "vary"),
    [
        ({"hidden": "256"}, {}, {}),
        ({"hidden": "128"}, {"hidden": 128}, {}),
        ({"hidden": "128, 256،512"}, {}, {"hidden": [128, 256, 512]}),
        ({"rate": "1e-4 .. 0.1 log"}, {}, {"rate": {"low": 1e-4, "high": 0.1, "scale": "log"}}),
        ({"hidden": "16..64"}, {}, {"hidden": {"low": 16, "high": 64, "scale": "linear"}}),
        ({"rules": "yes, no", "optimizer": "adam, sgd"}, {}, {"rules": [True, False], "optimizer": ["adam", "sgd"]}),
        ({"prefix": "a, b .. c"}, {"prefix": "a, b .. c"}, {}),
    ],
)
def test_a_line_fixes_or_varies_an_option(lines, fixed, vary):
    asked = form(**lines)
    assert asked.is_valid(), asked.errors
    assert asked.asked() == (fixed, vary)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"hidden": "1, x"}, "Expected a whole number."),
        ({"hidden": "1, 0"}, "Expected a number from 1 to 4,096."),
        ({"rate": "0.1 .. b"}, "Expected a number."),
        ({"rules": "perhaps"}, "Expected yes or no."),
        ({"optimizer": "adam, adm"}, "Expected one of adam, sgd."),
    ],
)
def test_a_line_that_is_no_value_is_refused_at_its_field(line, said):
    asked = form(**line)
    assert not asked.is_valid()
    assert asked.errors == {name: [said] for name in line}


def test_each_option_but_the_score_has_a_line_with_its_default():
    fields = VaryForm(Options, "m", None, beside=None).fields
    assert {name: field.initial for name, field in fields.items() if name != "shown"} == {
        "hidden": "256", "rate": "0.001", "optimizer": "adam", "rules": "yes", "prefix": "",
    }  # fmt: skip
