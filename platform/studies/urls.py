"""The page that a study opens with; it comes after the rooms, whose longer or fixed addresses go first."""

from django.urls import path

from studies.views import lifecycle, study

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(f"{STUDY}archive/", lifecycle.study_archive, name="study_archive"),
    path(f"{STUDY}delete/", lifecycle.study_delete, name="study_delete"),
    path(f"{STUDY}duplicate/", lifecycle.study_duplicate, name="study_duplicate"),
    path(STUDY, study.study, name="study"),
]
