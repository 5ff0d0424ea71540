from django.urls import path

from modelserving.views import (
    answers,
    model_list,
    new_training,
    run_comparison,
    sweeps,
    training,
    transfer_runs,
)

STUDY = "studies/<slug:study>/"
MODELS = f"{STUDY}models/"
TRAINING = f"{MODELS}trainings/<int:training>/"
SWEEP = f"{MODELS}sweeps/<int:sweep>/"
CHECKPOINT = f"{MODELS}checkpoints/<int:checkpoint>/"

urlpatterns = [
    path(MODELS, model_list.study_models, name="study_models"),
    path(f"{MODELS}train/", new_training.training_new, name="training_new"),
    path(f"{MODELS}train/prompt/", new_training.training_prompt, name="training_prompt"),
    path(f"{MODELS}import/", model_list.checkpoint_import, name="checkpoint_import"),
    path(TRAINING, training.training, name="training"),
    path(f"{TRAINING}curves/", training.training_curves, name="training_curves"),
    path(f"{TRAINING}cancel/", training.training_cancel, name="training_cancel"),
    path(f"{TRAINING}resume/", training.training_resume, name="training_resume"),
    path(f"{TRAINING}remove/", training.training_remove, name="training_remove"),
    path(f"{TRAINING}notes/", training.training_notes, name="training_notes"),
    path(f"{MODELS}sweeps/new/", sweeps.sweep_new, name="sweep_new"),
    path(SWEEP, sweeps.sweep, name="sweep"),
    path(f"{SWEEP}cancel/", sweeps.sweep_cancel, name="sweep_cancel"),
    path(f"{SWEEP}resume/", sweeps.sweep_resume, name="sweep_resume"),
    path(f"{SWEEP}repeat/", sweeps.sweep_repeat, name="sweep_repeat"),
    path(f"{SWEEP}remove/", sweeps.sweep_remove, name="sweep_remove"),
    path(f"{MODELS}compare/", run_comparison.runs_compare, name="runs_compare"),
    path(f"{MODELS}compare/curves/", run_comparison.runs_curves, name="runs_curves"),
    path(CHECKPOINT, model_list.checkpoint, name="checkpoint"),
    path(f"{CHECKPOINT}file/", model_list.checkpoint_file, name="checkpoint_file"),
    path(f"{CHECKPOINT}remove/", model_list.checkpoint_remove, name="checkpoint_remove"),
    path(f"{MODELS}try/", answers.try_it, name="try_it"),
    path(f"{MODELS}try/<slug:key>/", answers.try_answers, name="try_answers"),
    path(f"{MODELS}file/", transfer_runs.transfer_file, name="transfer_file"),
    path(f"{MODELS}files/<int:transfer>/", transfer_runs.transfer_result, name="transfer_result"),
    path(f"{STUDY}systems/run/", transfer_runs.transfer_new, name="transfer_new"),
]
