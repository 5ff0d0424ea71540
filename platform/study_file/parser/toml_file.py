"""The TOML of a study file, read in a process of its own (`foundation.confined`): this module imports little."""

import re
import tomllib
from dataclasses import replace
from typing import Any

from corpora.text_files.decoding import MEGABYTE, TextFile, read_lines
from foundation.errors import UserError
from study_file.parser.toml_limits import refuse_huge, refuse_unstorable
from study_file.parser.toml_lines import Path, lines_of

STUDY_LIMIT = MEGABYTE
"""The most bytes a study file itself may have."""


def read_toml(file: TextFile) -> tuple[dict[str, Any], dict[Path, int]]:
    """What the file says, and on which line each key stands."""
    limit = STUDY_LIMIT if file.limit is None else min(file.limit, STUDY_LIMIT)
    text = "".join(read_lines(replace(file, limit=limit), keep_ends=True))
    refuse_huge(text.replace("\r\n", "\n"), file.name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), file.name) from None
    except ValueError:  # a date that is none in the calendar is no TOMLDecodeError
        raise UserError("this is not TOML: a number or a date is none.", where=file.name) from None
    lines = lines_of(text)
    refuse_unstorable(values, lines, file.name)
    return values, lines


def _not_toml(message: str, name: str) -> UserError:
    """`tomllib` puts "(at line 3, column 5)" or "(at end of document)" at the end of its message."""
    place = re.search(r" \(at line (\d+), column \d+\)$", message)
    sentence = message[: place.start()] if place else message.removesuffix(" (at end of document)")
    where = f"{name}, line {place.group(1)}" if place else f"{name}, at the end"
    return UserError("this is not TOML: {fault}.", fault=sentence[:1].lower() + sentence[1:], where=where)
