"""The page that a study opens with; it comes after the rooms, whose longer or fixed addresses go first."""

from django.urls import path

from config import study_views

urlpatterns = [path("studies/<slug:study>/", study_views.study, name="study")]
