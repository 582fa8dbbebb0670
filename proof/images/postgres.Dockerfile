# Stands in for the official image where no registry can be reached: Debian's PostgreSQL, told the same by the same variables.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/*
COPY postgres-entrypoint.sh /entrypoint.sh
USER postgres
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["/bin/sh", "/entrypoint.sh"]
