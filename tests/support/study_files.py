"""The beginning of the study files of tests: one direction, from informal to formal."""


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
