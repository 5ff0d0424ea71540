"""Models that write a text in another style; a file is a model, and holds it as `TRANSFER`."""

from pathlib import Path

from foundation.registry import Registry
from modelserving.interface import Model, Transfer

TRANSFERS = Registry[Transfer]("transfer model", "modelserving.transfer", Path(__file__).parent, attribute="TRANSFER")

__all__ = ["TRANSFERS", "Model", "Transfer"]
