# Two images of Restyle, which differ in what they can work on:
#
#   docker build --target web -t restyle-web .                               # pages and API, without PyTorch
#   docker build --target worker -t restyle-worker .                         # every queue, PyTorch for processors
#   docker build --target worker --build-arg TORCH=cuda -t restyle-worker .  # ... for NVIDIA GPUs
#
# PyTorch for processors comes from an index of its own: --build-arg PIP_EXTRA_INDEX_URL=... (docs/upgrading.md).
ARG PYTHON=3.11

FROM python:${PYTHON}-slim-bookworm AS base
ENV PATH=/opt/restyle/bin:$PATH \
    PYTHONPATH=/srv/restyle:/srv/restyle/platform \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    RESTYLE_DATA=/data \
    RESTYLE_STATIC=/srv/static \
    RESTYLE_LOG_TO=stdout
RUN groupadd --system --gid 10001 restyle \
 && useradd --system --no-log-init --uid 10001 --gid restyle --home-dir /data --no-create-home --shell /usr/sbin/nologin restyle \
 && install --directory --owner restyle --group restyle --mode 0700 /data /backups
WORKDIR /srv/restyle

FROM base AS web-packages
COPY requirements-web.lock ./
RUN python -m venv /opt/restyle \
 && pip install --no-cache-dir --no-compile --no-deps --require-hashes --requirement requirements-web.lock

# Three of the worker's packages are compiled.
FROM base AS worker-packages
ARG TORCH=cpu
ARG PIP_EXTRA_INDEX_URL=
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
COPY requirements.lock requirements-${TORCH}.lock ./
RUN python -m venv /opt/restyle \
 && pip install --no-cache-dir --no-compile --no-deps --require-hashes \
      --requirement requirements.lock --requirement requirements-${TORCH}.lock

FROM base AS web
COPY --from=web-packages /opt/restyle /opt/restyle
COPY . .
RUN python -m compileall -q -j 0 annotation evaluation modelserving platform \
 && SECRET_KEY=of-the-build python manage.py collectstatic --noinput --verbosity 0
USER 10001:10001
VOLUME /data
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as ask; ask.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/health/live', timeout=4)"]
CMD ["python", "-m", "launcher.process", "web"]

FROM base AS worker
# What METEOR and eflomal run with.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libgomp1 wordnet-base \
 && rm -rf /var/lib/apt/lists/*
COPY --from=worker-packages /opt/restyle /opt/restyle
COPY . .
RUN python -m compileall -q -j 0 annotation evaluation modelserving platform
USER 10001:10001
VOLUME /data
HEALTHCHECK --interval=30s --timeout=20s --start-period=120s --retries=3 CMD ["python", "-m", "health.worker_liveness"]
CMD ["python", "-m", "launcher.worker", "default,metrics"]
