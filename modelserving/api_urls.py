from django.urls import path

from modelserving.api.answers import Answers, AnswersOf
from modelserving.api.checkpoints import CheckpointDetail, CheckpointFile, CheckpointList
from modelserving.api.sweeps import SweepCancel, SweepDetail, SweepList, SweepRepeat, SweepResume
from modelserving.api.trainings import Prompts, TrainingDetail, TrainingList
from modelserving.api.transfers import FileTransfers, TransferResult, TransferRuns

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(f"{STUDY}answers/", Answers.as_view(), name="model-answers"),
    path(f"{STUDY}answers/<slug:key>/", AnswersOf.as_view(), name="model-answers-of"),
    path(f"{STUDY}trainings/", TrainingList.as_view(), name="training-list"),
    path(f"{STUDY}trainings/<int:pk>/", TrainingDetail.as_view(), name="training-detail"),
    path(f"{STUDY}sweeps/", SweepList.as_view(), name="sweep-list"),
    path(f"{STUDY}sweeps/<int:pk>/", SweepDetail.as_view(), name="sweep-detail"),
    path(f"{STUDY}sweeps/<int:pk>/cancel/", SweepCancel.as_view(), name="sweep-cancel"),
    path(f"{STUDY}sweeps/<int:pk>/resume/", SweepResume.as_view(), name="sweep-resume"),
    path(f"{STUDY}sweeps/<int:pk>/repeat/", SweepRepeat.as_view(), name="sweep-repeat"),
    path(f"{STUDY}prompts/", Prompts.as_view(), name="prompt-preview"),
    path(f"{STUDY}checkpoints/", CheckpointList.as_view(), name="checkpoint-list"),
    path(f"{STUDY}checkpoints/<int:pk>/", CheckpointDetail.as_view(), name="checkpoint-detail"),
    path(f"{STUDY}checkpoints/<int:pk>/file/", CheckpointFile.as_view(), name="checkpoint-file"),
    path(f"{STUDY}transfers/", TransferRuns.as_view(), name="transfer-list"),
    path(f"{STUDY}transfers/file/", FileTransfers.as_view(), name="transfer-file"),
    path(f"{STUDY}transfers/<int:pk>/result/", TransferResult.as_view(), name="transfer-result"),
]
