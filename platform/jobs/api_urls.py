from rest_framework.routers import SimpleRouter

from jobs.api import JobViewSet

router = SimpleRouter()
router.register(r"studies/(?P<study>[-\w]+)/jobs", JobViewSet, basename="job")
urlpatterns = router.urls
