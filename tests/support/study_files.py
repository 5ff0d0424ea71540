"""The beginning of the study files of tests: one direction, from informal to formal."""

PAIRS = """
[[references]]
direction = "informal-formal"
file = "references"

[splits]
rule = "random"
train = 60
tune = 20
test = 20
"""


def beginning_with_pairs() -> str:
    """That study with the file `sources`, their `references`, and splits of 60, 20 and 20 per cent."""
    return beginning("sources") + PAIRS


def beginning(sources: str) -> str:
    """A study 'tone' whose sources are in that file."""
    return f"""
[study]
slug = "tone"
title = "Tone"
styles = ["informal", "formal"]

[[directions]]
source_style = "informal"
target_style = "formal"
sources = "{sources}"
"""
