from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """The house's own templates tags, commands and static files."""

    name = "config"
