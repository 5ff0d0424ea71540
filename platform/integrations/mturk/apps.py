from django.apps import AppConfig


class MTurkConfig(AppConfig):
    """Mechanical Turk as a crowd site. It has no tables: `integrations.recruiting` does."""

    name = "integrations.mturk"
    label = "mturk"

    def ready(self) -> None:
        from integrations.mturk.service import MechanicalTurk
        from integrations.recruiting.service import SERVICES

        SERVICES[MechanicalTurk.name] = MechanicalTurk()
