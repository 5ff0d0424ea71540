"""The page that a study opens with; it comes after the rooms, whose longer or fixed addresses go first."""

from django.urls import path

from studies import views

STUDY = "studies/<slug:study>/"

urlpatterns = [
    path(f"{STUDY}archive/", views.study_archive, name="study_archive"),
    path(f"{STUDY}delete/", views.study_delete, name="study_delete"),
    path(f"{STUDY}duplicate/", views.study_duplicate, name="study_duplicate"),
    path(STUDY, views.study, name="study"),
]
