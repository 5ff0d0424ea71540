"""The parts of a scale."""

from annotation.rating_scales import Level, Scale

__all__ = ["Level", "Scale"]
