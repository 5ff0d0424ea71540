from django.apps import AppConfig


class ProlificConfig(AppConfig):
    """Prolific as a crowd site. It has no tables: `integrations.recruiting` does."""

    name = "integrations.prolific"
    label = "prolific"

    def ready(self) -> None:
        from integrations.prolific.service import Prolific
        from integrations.recruiting.service import SERVICES

        SERVICES[Prolific.name] = Prolific()
