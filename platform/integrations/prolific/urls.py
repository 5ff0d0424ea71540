from django.urls import path

from integrations.prolific import views

urlpatterns = [path("hooks/prolific/<str:handle>/", views.hook, name="prolific_hook")]
