from django.urls import path

from integrations.publishing import views

urlpatterns = [path("studies/<slug:study>/publish/", views.study_publish, name="study_publish")]
