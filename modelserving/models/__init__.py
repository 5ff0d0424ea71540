from modelserving.models.transfer_run import TransferRun

__all__ = ["TransferRun"]
