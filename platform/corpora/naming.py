"""What a study and its styles may be called."""

from collections.abc import Sequence

from foundation.errors import UserError


def check_title(title: str) -> None:
    if not title.strip() or len(title) > 300:
        raise UserError("A study needs a title of at most 300 characters.", where="title")


def check_styles(styles: Sequence[str]) -> None:
    """Two styles or more; a direction is named `source-target`, so no style has a hyphen."""
    if len(set(styles)) < 2 or not all(style == style.strip() and style for style in styles):
        raise UserError("A study needs two different styles or more, each with a name.", where="styles")
    if len(set(styles)) < len(styles):
        raise UserError("A style stands twice.", where="styles")
    if any("-" in style or "/" in style or len(style) > 60 for style in styles):
        raise UserError("The name of a style has at most 60 characters, no hyphen and no slash.", where="styles")
