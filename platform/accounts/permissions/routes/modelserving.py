"""The permission rows of the routes of models, trainings, checkpoints and transfer runs."""

from accounts.permissions import Can
from accounts.permissions.routes.requirement import ByMethod, Requirement

ROUTES: dict[str, Requirement] = {
    "study_models": Can.VIEW_STUDY,
    "training_new": Can.RUN_MODELS,
    "training_prompt": Can.RUN_MODELS,
    "training": Can.VIEW_STUDY,
    "training_curves": Can.VIEW_STUDY,
    "training_cancel": Can.RUN_MODELS,
    "training_resume": Can.RUN_MODELS,
    "training_remove": Can.RUN_MODELS,
    "training_notes": Can.RUN_MODELS,
    "runs_compare": Can.VIEW_STUDY,
    "runs_curves": Can.VIEW_STUDY,
    "checkpoint": Can.VIEW_STUDY,
    "checkpoint_import": Can.RUN_MODELS,
    "checkpoint_file": Can.RUN_MODELS,  # a network can give back what it was trained on
    "checkpoint_remove": Can.RUN_MODELS,
    "try_it": Can.VIEW_STUDY,
    "try_answers": Can.VIEW_STUDY,
    "transfer_new": Can.RUN_MODELS,
    "transfer_file": Can.RUN_MODELS,
    "transfer_result": Can.RUN_MODELS,
    "api:model-answers": Can.VIEW_STUDY,
    "api:model-answers-of": Can.VIEW_STUDY,
    "api:transfer-list": Can.RUN_MODELS,
    "api:transfer-file": Can.RUN_MODELS,
    "api:transfer-result": Can.RUN_MODELS,
    "api:training-list": ByMethod(read=Can.VIEW_STUDY, change=Can.RUN_MODELS),
    "api:training-detail": ByMethod(read=Can.VIEW_STUDY, change=Can.RUN_MODELS),
    "api:prompt-preview": Can.RUN_MODELS,
    "api:checkpoint-list": ByMethod(read=Can.VIEW_STUDY, change=Can.RUN_MODELS),
    "api:checkpoint-detail": ByMethod(read=Can.VIEW_STUDY, change=Can.RUN_MODELS),
    "api:checkpoint-file": Can.RUN_MODELS,
}
