"""All settings. There is one file; the environment decides (docs/operate.md lists every variable)."""

import os
import sys

import django_stubs_ext
from django.utils.csp import CSP

from config import environment as env
from config.logs import LOGGING_CONFIGURATION

django_stubs_ext.monkeypatch()

BASE_DIR = env.ROOT
DATA_DIR = env.data_dir()
# Where the scanner for known keys keeps its compiled rules (memory/write/known_keys.py).
os.environ.setdefault("KF_RULE_CACHE_DIR", str(DATA_DIR / "secret-rules"))
PUBLIC_URL = env.text("PUBLIC_URL") or env.run_file().get("url", "http://localhost:8787")

# --- the process -------------------------------------------------------------------------------
DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret("SECRET_KEY", "secret.key") or "only-for-commands-that-start-nothing"
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = env.number("MAX_BODY_BYTES", 2_000_000)
# A person's file lies on no disk unsealed: it is read into memory, or not at all.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 21_000_000
MAX_DOCUMENT_BYTES = env.number("MAX_DOCUMENT_BYTES", 10_000_000)

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts",
    "memory",
    "memory.admin",
    "dashboard",
]
MIDDLEWARE = [
    "accounts.requests.ClientAddressMiddleware",
    "accounts.requests.RequestIdMiddleware",
    "memory.api.metrics.MeasuringMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.middleware.PagesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.navigation.shell",
            ]
        },
    }
]

# --- database and broker -----------------------------------------------------------------------
# The process' own role: the web server and the workers are `keepsake_app`; commands that change
# tables are `keepsake_owner`; the console reads through `keepsake_console`.
OWNER_COMMANDS = {
    "migrate",
    "restore",
    "trim_audit",
    "rewrite_pages",
    "verify_erasure",
    "makemigrations",
    "sqlmigrate",
    "showmigrations",
    "flush",
}
IS_OWNER = len(sys.argv) > 1 and sys.argv[1] in OWNER_COMMANDS
DATABASE_URL = env.database_url("DATABASE_URL", "keepsake_app")
DATABASE_OWNER_URL = env.database_url("DATABASE_OWNER_URL", "keepsake_owner")
DATABASE_CONSOLE_URL = env.database_url("DATABASE_CONSOLE_URL", "keepsake_console")
DATABASE_BACKUP_URL = env.database_url("DATABASE_BACKUP_URL", "keepsake_backup")
DATABASES = {
    "default": env.django_database(DATABASE_OWNER_URL if IS_OWNER else DATABASE_URL),
    "console": env.django_database(DATABASE_CONSOLE_URL) | {"TEST": {"MIRROR": "default"}},
}
REDIS_URL = env.text("REDIS_URL") or env.run_file().get("broker", "")

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 120
CELERY_TASK_TIME_LIMIT = 180
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A request never waits for a broker that is down: its work is a row that a sweeper finds.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
    "socket_connect_timeout": 1,
    "socket_timeout": 30,
    "visibility_timeout": 600,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "config.beat.Scheduler"
# Celery only wakes the work; the work itself is rows, which these sweepers find again.
EVERY = {  # seconds
    "sweep_jobs": 15.0,
    "sweep_erasures": 15.0,
    "seal_audit": 10.0,
    "sweep_notices": 15.0,
    "sweep_expired": 300.0,
    "sweep_decay": 1800.0,
    "sweep_sessions": 900.0,
    "sweep_patterns": 3600.0,
    "sweep_evaluations": 60.0,
    "sweep_old": 300.0,
    "sweep_reviews": 3600.0,
}
# While no worker runs, calls to the same sweeper must not pile up before the work that waits.
STALE_CALL = 600.0
CELERY_BEAT_SCHEDULE = {
    name.replace("_", "-"): {
        "task": f"memory.{name}",
        "schedule": seconds,
        "options": {"expires": max(seconds, STALE_CALL)},
    }
    for name, seconds in EVERY.items()
}

# --- people ------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
] + [{"NAME": "accounts.ways_in.Watch"}]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "dashboard.signin.SignInAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # the operator or an agent's link vouches for the login
# What a page says after a change stays here, not in a cookie.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.console.EmailBackend"}}

# --- language and time -------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# --- files -------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]

# --- security ----------------------------------------------------------------------------------
SECURE = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_REFERRER_POLICY = "same-origin"
BEHIND_PROXY = env.flag("BEHIND_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "dashboard.views.problems.stale_form"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["htmx"],
}

# --- memory ------------------------------------------------------------------------------------
MASTER_KEY = env.secret("MASTER_KEY", "master.key")
# The key before this one, while `manage.py rotate_master_key` wraps everything anew.
MASTER_KEY_BEFORE = env.secret("MASTER_KEY_BEFORE", "master.before.key")
# What was erased, outside the database; web servers and workers share it.
LEDGER_FILE = env.text("LEDGER_FILE") or str(DATA_DIR / "erasures.jsonl")
BACKUP_DIR = env.text("BACKUP_DIR") or str(DATA_DIR / "backups")
EMBEDDER = env.text("EMBEDDER", "e5s-use-896")
EMBEDDING_BASE_URL = env.text("EMBEDDING_BASE_URL")
EMBEDDING_MODEL = env.text("EMBEDDING_MODEL")
EMBEDDING_API_KEY = env.text("EMBEDDING_API_KEY")
EMBEDDING_DIM = env.number("EMBEDDING_DIM", 1024)
# The embedder before this one, whose vectors serve until `manage.py reembed` has made new ones.
EMBEDDER_BEFORE = env.text("EMBEDDER_BEFORE")
EMBEDDING_MODEL_BEFORE = env.text("EMBEDDING_MODEL_BEFORE")
EMBEDDING_DIM_BEFORE = env.number("EMBEDDING_DIM_BEFORE", 0)
EMBEDDER_CACHE = env.text("EMBEDDER_CACHE") or str(DATA_DIR / "models")
EMBEDDER_THREADS = env.number("EMBEDDER_THREADS", 1)
# A server that puts what a recall found in order; without a name, none is asked.
RERANKER = env.text("RERANKER")
RERANKER_BASE_URL = env.text("RERANKER_BASE_URL")
RERANKER_MODEL = env.text("RERANKER_MODEL")
RERANKER_API_KEY = env.text("RERANKER_API_KEY")
# A language model that reads conversations; without its address, rules do.
LLM_BASE_URL = env.text("LLM_BASE_URL")
LLM_MODEL = env.text("LLM_MODEL")
LLM_API_KEY = env.text("LLM_API_KEY")
LLM_EXTRACTION_MODEL = env.text("LLM_EXTRACTION_MODEL")
EXTRACTOR = env.text("EXTRACTOR", "llm" if LLM_BASE_URL else "rules")
LLM_SUMMARY_MODEL = env.text("LLM_SUMMARY_MODEL")
SUMMARISER = env.text("SUMMARISER", "llm" if LLM_BASE_URL else "sentences")

# --- API ---------------------------------------------------------------------------------------
RATE_LIMIT_PER_KEY = env.text("RATE_LIMIT_PER_KEY", "600/min")
RATE_LIMIT_PER_TENANT = env.text("RATE_LIMIT_PER_TENANT", "6000/min")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["memory.api.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memory.api.parsing.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "memory.api.openapi.Operation",
    "DEFAULT_THROTTLE_CLASSES": ["memory.api.limits.KeyThrottle"],
    "EXCEPTION_HANDLER": "memory.api.problems.problem_response",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # ?format= is a parameter nobody named, not a choice
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Keepsake",
    "DESCRIPTION": "Memory for AI agents that people own.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_PATCH": False,
    "POSTPROCESSING_HOOKS": ["memory.api.openapi.share_problems"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

# --- metrics -----------------------------------------------------------------------------------
# Who shows this token may read /metrics; without one, the address does not exist.
METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS_DIR = DATA_DIR / "metrics"
# A collector of spans, by OTLP over HTTP; without one, nothing of OpenTelemetry is loaded.
OTEL_EXPORTER_OTLP_ENDPOINT = env.text("OTEL_EXPORTER_OTLP_ENDPOINT")

# --- logs --------------------------------------------------------------------------------------
LOG_LEVEL = env.text("LOG_LEVEL", "INFO")
LOGGING = LOGGING_CONFIGURATION(LOG_LEVEL)
