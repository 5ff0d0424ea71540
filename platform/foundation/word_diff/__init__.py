"""What a rewrite changed, by words. `static/restyle/js/annotation/diff/` is the same in the browser.

Words are aligned (`alignment`), matches that are too short to help a reader are given up (`clean_up`), and what is left
becomes pieces of both texts (`pieces`). All steps take linear time. One table of cases and random texts hold both
implementations to each other (`tests/browser/annotation/test_word_diff_in_a_browser.py`).
"""

from foundation.word_diff.alignment import matches
from foundation.word_diff.pieces import Piece, is_mostly_other, word_diff

__all__ = ["Piece", "is_mostly_other", "matches", "word_diff"]
