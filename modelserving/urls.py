from django.urls import path

from modelserving import views

urlpatterns = [path("studies/<slug:study>/systems/run/", views.transfer_new, name="transfer_new")]
