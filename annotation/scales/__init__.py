"""The scales that people rate on; a file is a scale, and holds it as `SCALE`.

A lab's own is a line that says the whole of it (`annotation/rating_scales.py`), and is its name:
`SCALES["mood | ordinal | 0 | 1"]`.
"""

from pathlib import Path

from annotation.rating_scales import Level, Scale, ScaleRegistry, canonical_line, is_own, line_of, own_scale, short_name

SCALES = ScaleRegistry("scale", "annotation.scales", Path(__file__).parent, attribute="SCALE")

__all__ = ["SCALES", "Level", "Scale", "canonical_line", "is_own", "line_of", "own_scale", "short_name"]
