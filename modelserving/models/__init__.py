"""The tables of this room."""

from modelserving.models.checkpoint import Checkpoint
from modelserving.models.model_answer import ModelAnswer
from modelserving.models.training_run import TrainingCurve, TrainingRun
from modelserving.models.transfer_run import TransferRun

__all__ = ["Checkpoint", "ModelAnswer", "TrainingCurve", "TrainingRun", "TransferRun"]
