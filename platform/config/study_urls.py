"""The page that a study opens with; it comes after the rooms, whose longer or fixed addresses go first."""

from django.urls import path

from config import study_life, study_views, trail_views

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(f"{STUDY}archive/", study_life.study_archive, name="study_archive"),
    path(f"{STUDY}delete/", study_life.study_delete, name="study_delete"),
    path(f"{STUDY}duplicate/", study_life.study_duplicate, name="study_duplicate"),
    path(f"{STUDY}trail/file/", trail_views.study_trail_file, name="study_trail_file"),
    path(STUDY, study_views.study, name="study"),
]
