"""The tables of this room."""

from modelserving.models.checkpoint import Checkpoint
from modelserving.models.training_run import TrainingCurve, TrainingRun
from modelserving.models.transfer_run import TransferRun

__all__ = ["Checkpoint", "TrainingCurve", "TrainingRun", "TransferRun"]
