"""The language of a study's texts, and the direction of what changed in one.

`{% text_lang %}` is the language as an attribute, which readers and spell-checkers go by. Every element that shows or
takes a text has it; it is built in, so that no template loads it. Where a study names no language it is `lang=""`,
which says that it is unknown: else the interface's would hold for the texts, too.
"""

from collections.abc import Sequence

from django.template import Context, Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

from foundation.word_diff import Piece

register = Library()


@register.simple_tag(takes_context=True)
def text_lang(context: Context) -> SafeString:
    """' lang="en"' for the study that the address of the page names."""
    request = getattr(context, "request", None) or context.get("request")
    study = getattr(request, "study", None)
    return format_html(' lang="{}"', study.language if study else "")


@register.filter
def with_directions(pieces: Sequence[Piece]) -> list[tuple[Piece, bool]]:
    """Each piece of a diff, and whether it has a direction of its own within the text.

    The words that stayed say the direction of the whole. Where none did, the first piece says it, and has none of its
    own: "auto" does not look into what has one, and would take a text in Arabic for one from left to right.
    """
    spoken = [piece for piece in pieces if piece.has_letters]
    changes = [piece for piece in spoken if piece.kind != "same"]
    apart = {id(piece) for piece in (changes[1:] if changes == spoken else changes)}
    return [(piece, id(piece) in apart) for piece in pieces]
