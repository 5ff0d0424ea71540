"""The settings, one file; every value that differs between places comes from the environment."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.api.settings import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401
from config.environment.broker import broker_url
from config.environment.secret_key import secret_key
from config.environment.storage import storage_of
from config.environment.trusted_domains import trusted_domains
from config.languages.names import LANGUAGES  # noqa: F401
from jobs.queues import BY_TASK, QUEUES
from jobs.time_limits import time_limits
from logs.configuration import logging_configuration

ROOT = Path(__file__).resolve().parents[2]
env = environ.Env()

DATA = Path(env("RESTYLE_DATA", default=str(ROOT / ".data")))
DEBUG = env.bool("RESTYLE_DEBUG", default=False)
# Set where the database is the embedded one: demo data may go in, and do on the first start unless DEMO is off.
EMBEDDED = env.bool("RESTYLE_EMBEDDED", default=False)
DEMO = env.bool("RESTYLE_DEMO", default=True)

# The secret of an embedded installation is made on its first start and kept beside its data.
SECRET_KEY = env("SECRET_KEY", default="") or secret_key(DATA)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# The path of the site where a host carries other sites too: "" or "/restyle". A proxy may take it off or leave it.
PATH = f"/{env('RESTYLE_PATH', default='').strip('/')}".rstrip("/")
if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*", PATH):
    raise ImproperlyConfigured(
        "RESTYLE_PATH is a path as /restyle, of letters, digits and - . _ ~ between its slashes."
    )
FORCE_SCRIPT_NAME = PATH or None
if PATH:
    SPECTACULAR_SETTINGS["SERVERS"] = [{"url": PATH}]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "config",
    "accounts",
    "jobs",
    "corpora",
    "annotation",
    "modelserving",
    "evaluation",
    "integrations.events",
    "integrations.webhooks",
    "integrations.publishing",
    "integrations.recruiting",
    "integrations.prolific",
    "integrations.mturk",
    "notifications",
]

MIDDLEWARE = [
    "config.middleware.LogRequests",
    "health.probes.FromAnywhere",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.PageParts",
    "config.middleware.NoStore",
    "config.api.shape.ShapeOfTheApi",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.BrowserLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.PersonLanguage",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.middleware.ClearOnSignOut",
    "config.middleware.AuthorizationMiddleware",
    "config.api.kept_answers.KeptAnswers",
]

ROOT_URLCONF = "config.urls"
# Probes of Prometheus and load balancers. Metrics are off unless somebody is let in.
METRICS_TOKEN = env("RESTYLE_METRICS_TOKEN", default="")
METRICS_FROM = env.list("RESTYLE_METRICS_FROM", default=[])  # addresses and networks
READY_QUEUES = env.list("RESTYLE_READY_QUEUES", default=list(QUEUES))
if METRICS_TOKEN or METRICS_FROM:
    MIDDLEWARE.insert(0, "health.prometheus.CountRequests")

WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "config.templating.pages.PageTemplates",
        "NAME": "django",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["config.templating.loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.pages.navigation.navigation",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "config.templating.text_language",
                "config.templating.numbers",
                "config.templating.counts",
                "config.pages.trail",
                "accounts.templatetags.accounts",
            ],
        },
    },
]

# One pool a process. A connection is looked at before it is lent, so that none outlives a restart of PostgreSQL; a
# request that finds none within the timeout is told to come again (503).
DATABASES = {"default": env.db_url("DATABASE_URL", default="postgresql:///restyle")}
DATABASES["default"]["ENGINE"] = "accounts.database.postgresql"
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"].get("OPTIONS", {}),
    "pool": {
        "min_size": 1,
        "max_idle": 60.0,  # seconds; each holds some 8 MiB of the server's memory
        "max_size": env.int("RESTYLE_POOL", default=8),
        "timeout": env.float("RESTYLE_POOL_TIMEOUT", default=5.0),
    },
}
# Only the statements of `accounts/database/prepared_statements.py` are prepared, and none behind a pooler
# (`accounts/database/poolers.py`). Backups need a session of PostgreSQL's own.
DIRECT_DATABASE_URL = env("RESTYLE_DIRECT_DATABASE_URL", default="")
NEVER_BY_ITSELF = 2**31
PREPARED_STATEMENTS = env.bool("RESTYLE_PREPARED_STATEMENTS", default=True)
DATABASES["default"]["OPTIONS"]["prepare_threshold"] = NEVER_BY_ITSELF if PREPARED_STATEMENTS else None
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env("REDIS_URL", default="redis://127.0.0.1:6379/0")
CACHES = {"default": {"BACKEND": "config.environment.redis_cache.SharedRedisCache", "LOCATION": REDIS_URL}}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
SESSION_COOKIE_AGE = 14 * 24 * 3600
# Below a path, cookies are of it alone, under names that no other site of the host has: browsers send all of both.
COOKIES = "restyle_" if PATH else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIES}sessionid", f"{COOKIES}csrftoken"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = f"{PATH}/"

# People
AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = ["accounts.backend.People"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.allauth.InvitedOnly"
SOCIALACCOUNT_ADAPTER = "accounts.allauth.InvitedOnlySocial"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True  # their browser is known from then on, however many guess at the account
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_REDIRECT_URL = f"{PATH}/"
ACCOUNT_FORMS = {"login": "accounts.forms.SignIn", "reset_password": "accounts.forms.ResetByMail"}
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to addresses that nobody here has
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]  # no code by mail: not every site sends any
ACCOUNT_RATE_LIMITS = {
    # The key of the first two is an account with an address, or with a browser in which its owner signed in before:
    # nobody can lock out another by wrong passwords, and each further one costs a longer wait.
    "login_failed": "10/m/ip,5/5m/key,10/h/key,20/d/key",
    "login_failed_at_home": "5/5m/key,10/h/key,20/d/key",
    "login_failed_anywhere": "30/h/key,60/d/key",  # an account, over all browsers in which its owner never signed in
    "crowd_enter": env("RESTYLE_ENTER_RATE", default="60/m/ip"),
    "try_it": env("RESTYLE_TRY_RATE", default="30/m/user"),
    "public_page": env("RESTYLE_PUBLIC_PAGE_RATE", default="60/m/ip"),
}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("RESTYLE_PROXIES", default=0)  # proxies that write X-Forwarded-For
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Restyle"
OIDC_SERVER_URL = env("OIDC_SERVER_URL", default="")
if OIDC_SERVER_URL:
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": "oidc",
                    "name": env("OIDC_NAME", default="Single sign-on"),
                    "client_id": env("OIDC_CLIENT_ID"),
                    "secret": env("OIDC_CLIENT_SECRET"),
                    # Domains whose addresses count where the provider says nothing of `email_verified`, as Entra does.
                    "settings": {
                        "server_url": OIDC_SERVER_URL,
                        "trusted_domains": trusted_domains(env("OIDC_TRUSTED_DOMAINS", default=""), OIDC_SERVER_URL),
                    },
                }
            ]
        }
    }

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env("EMAIL_FROM", default="restyle@localhost")
HAS_MAIL_SERVER = bool(env("EMAIL_URL", default=""))
# Where the site is, for mail that no request leads to: https://lab.example, without the path.
_hosts = [host for host in ALLOWED_HOSTS if "*" not in host and not host.startswith(".")] or ["localhost"]
_port = "" if "ALLOWED_HOSTS" in env else f":{env('PORT', default='') or 8000}"  # no server in front of it
_origins = [*[origin for origin in CSRF_TRUSTED_ORIGINS if "*" not in origin], f"http://{_hosts[0]}{_port}"]
SITE_URL = env("RESTYLE_SITE", default=_origins[0]).rstrip("/").removesuffix(PATH)

# Jobs. Redis redelivers after the visibility timeout, which must exceed the longest training: a lost worker's job is
# found by the sweep over the heartbeats long before.
CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 7 * 24 * 3600}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_AUTOSCALER = "jobs.workers:PromptAutoscaler"
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {pattern: {"queue": queue} for pattern, queue in BY_TASK.items()}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis, however long it is away
JOB_HEARTBEAT_SECONDS = env.float("RESTYLE_HEARTBEAT_SECONDS", default=5.0)
JOB_LOST_AFTER_SECONDS = env.float("RESTYLE_LOST_AFTER_SECONDS", default=30.0)
CHECKPOINT_UPLOAD_SECONDS = env.float("RESTYLE_CHECKPOINT_UPLOAD_SECONDS", default=5.0)  # at least between; 0: each one
JOB_LIMITS = time_limits(env("RESTYLE_JOB_LIMITS", default=""))  # seconds by kind
# A job that is asked to stop and does not is ended; one that has heard has longer, to keep what it has.
JOB_GRACE_SECONDS = env.float("RESTYLE_GRACE_SECONDS", default=6.0)
JOB_STOPPING_SECONDS = env.float("RESTYLE_STOPPING_SECONDS", default=600.0)
JOB_RESEND_AFTER_SECONDS = env.float("RESTYLE_RESEND_AFTER_SECONDS", default=300.0)
TRANSLATOR = env("RESTYLE_TRANSLATOR", default="")  # a file of annotation/assist; "" is none
TRANSLATOR_FOLDER = env("RESTYLE_TRANSLATOR_FOLDER", default="")  # its models, a folder a pair of languages: en-zh
SINKS = env.list("RESTYLE_SINKS", default=[])  # programs that get the curves of trainings (modelserving/sinks)
SERVE_MODELS = env.int("RESTYLE_SERVE_MODELS", default=4)  # that stay loaded in a worker of the queue serve
TRANSFER_BATCH = env.int("RESTYLE_TRANSFER_BATCH", default=32)  # sources a step, between which a run can stop
CELERY_BEAT_SCHEDULE = {
    # They expire, so that they do not pile up while no worker is there to do them.
    "free-expired-leases": {
        "task": "annotation.tasks.free_expired_leases",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "clear-sessions": {"task": "config.tasks.clear_sessions", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "purge-removals": {"task": "corpora.tasks.purge_removed", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "notify": {"task": "notifications.tasks.send_due", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "look-at-batches": {"task": "modelserving.tasks.look_at_batches", "schedule": 60.0, "options": {"expires": 60.0}},
    "publish-events": {"task": "integrations.events.tasks.look", "schedule": 60.0, "options": {"expires": 60.0}},
    "prune-events": {"task": "integrations.events.tasks.prune", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "do-crowd-orders": {
        "task": "integrations.recruiting.tasks.do_due",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "look-at-crowd-sites": {
        "task": "integrations.recruiting.tasks.look",
        "schedule": 600.0,
        "options": {"expires": 600.0},
    },
    "deliver-due": {"task": "integrations.webhooks.tasks.deliver_due", "schedule": 60.0, "options": {"expires": 60.0}},
    "settle-systems": {"task": "evaluation.tasks.settle_systems", "schedule": 60.0, "options": {"expires": 60.0}},
    "bring-in-missed": {"task": "annotation.tasks.bring_in_missed", "schedule": 60.0, "options": {"expires": 60.0}},
}
EVENT_DAYS = env.int("RESTYLE_EVENT_DAYS", default=30)  # that events are kept, with their deliveries
WEBHOOK_DAYS = env.int("RESTYLE_WEBHOOK_DAYS", default=5)  # of failures until a webhook is switched off
OUTGOING_PRIVATE = env.bool("RESTYLE_OUTGOING_PRIVATE", default=False)  # whether webhooks may reach private networks
PROLIFIC_URL = env("RESTYLE_PROLIFIC_URL", default="https://api.prolific.com").rstrip("/")
MTURK_URL = env("RESTYLE_MTURK_URL", default="").rstrip("/")  # another endpoint than Amazon's own
if EVENT_DAYS < 8 or WEBHOOK_DAYS < 1:
    raise ImproperlyConfigured("RESTYLE_EVENT_DAYS is at least 8, and RESTYLE_WEBHOOK_DAYS at least 1.")
# Where data sets are published; others where a lab has its own, and in tests.
HUGGING_FACE_URL = env("HF_ENDPOINT", default="https://huggingface.co").rstrip("/")
ZENODO_URL = env("RESTYLE_ZENODO", default="https://zenodo.org").rstrip("/")
ZENODO_SANDBOX_URL = env("RESTYLE_ZENODO_SANDBOX", default="https://sandbox.zenodo.org").rstrip("/")
BACKUPS = env("RESTYLE_BACKUPS", default="")  # where a backup a day goes: as RESTYLE_STORAGE
BACKUP_HOUR = env.int("RESTYLE_BACKUP_HOUR", default=2)  # UTC
BACKUPS_KEPT = env.int("RESTYLE_BACKUPS_KEPT", default=14)
BACKUP_KEY = env.bool("RESTYLE_BACKUP_KEY", default=False)  # whether the secret key goes along
if BACKUP_HOUR not in range(24) or BACKUPS_KEPT < 1:
    raise ImproperlyConfigured("RESTYLE_BACKUP_HOUR is an hour from 0 to 23, and RESTYLE_BACKUPS_KEPT at least 1.")
if BACKUPS:
    CELERY_BEAT_SCHEDULE["back-up"] = {
        "task": "config.tasks.back_up_if_due",
        "schedule": 600.0,
        "options": {"expires": 600.0},
    }
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "celerybeat-schedule")

# Languages, static files, uploads
LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_NAME = f"{COOKIES}language"  # of browsers in which nobody is signed in
FORMAT_MODULE_PATH = "config.languages"
LOCALE_PATHS = [ROOT / "platform" / "config" / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = f"{PATH}/static/"
STATIC_ROOT = Path(env("RESTYLE_STATIC", default=str(DATA / "static")))
STORAGES = {
    "default": storage_of(env("RESTYLE_STORAGE", default=str(DATA / "files"))),  # what machines share
    "staticfiles": {"BACKEND": "config.templating.static_files.HashedStaticFiles"},
}
if BACKUPS:
    STORAGES["backups"] = storage_of(BACKUPS)
WHITENOISE_USE_FINDERS = DEBUG
FILE_UPLOAD_TEMP_DIR = None
FILE_UPLOAD_HANDLERS = [
    "config.middleware.LimitUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
WORK_FOLDER = DATA / "work"  # this machine's own copies of what is in storage
CHECKPOINT_LIMIT_BYTES = env.int("RESTYLE_CHECKPOINT_LIMIT_BYTES", default=8 * 1024**3)
UPLOAD_LIMIT_BYTES = env.int("RESTYLE_UPLOAD_LIMIT_BYTES", default=50 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
DATA_UPLOAD_MAX_NUMBER_FILES = 1000

# Security
OIDC_ORIGIN = ["{0.scheme}://{0.netloc}".format(urlsplit(OIDC_SERVER_URL))] if OIDC_SERVER_URL else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        # The sign-in form of a provider leads on to it, and browsers hold that to this line too.
        "form-action": [SELF, *OIDC_ORIGIN],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "config.pages.error_pages.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
HTTPS = env.bool("RESTYLE_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
_probe = f"^{re.escape(PATH[1:] + '/') if PATH else ''}"
SECURE_REDIRECT_EXEMPT = [f"{_probe}health/(live|ready|status)$", f"{_probe}metrics$"]  # asked inside, without TLS
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

# To the standard error, with times; who started the process keeps it: the launcher in files (`logs`).
LOGGING = logging_configuration(
    env("RESTYLE_LOG_LEVEL", default="WARNING"), requests=env.bool("RESTYLE_LOG_REQUESTS", default=True)
)
CELERY_WORKER_LOG_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(message)s"
CELERY_WORKER_TASK_LOG_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(task_name)s %(task_id)s %(message)s"
