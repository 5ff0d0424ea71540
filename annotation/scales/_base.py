"""What a scale is made of."""

from annotation.rating_scales import Level, Scale

__all__ = ["Level", "Scale"]
