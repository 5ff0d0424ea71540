"""What templates say of static files is looked up when they are read, and not by each page."""

from django.conf import settings
from django.template import Engine, engines
from django.templatetags.static import static

from config.templating.loader import Loader


def test_addresses_of_static_files_are_in_the_template():
    base = engines["django"].engine.get_template("base.html")
    loader = Loader(Engine(dirs=settings.TEMPLATES[0]["DIRS"]))
    source = loader.get_contents(base.origin)
    assert f'<script src="{static("restyle/js/theme.js")}">' in source
    assert "{% static '" not in source


def test_while_somebody_changes_files_they_are_looked_up_anew(settings):
    settings.DEBUG = True
    base = engines["django"].engine.get_template("base.html")
    assert "{% static 'restyle/js/theme.js' %}" in Loader(engines["django"].engine).get_contents(base.origin)


def test_mail_keeps_its_lines():
    """They were put into one."""
    source = engines["django"].engine.get_template("accounts/mail/access_link.txt").source
    assert source.count("\n") >= 4
    assert "\n\n{{ url }}\n\n" in source
