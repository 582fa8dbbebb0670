# Stands in for the official image where no registry can be reached.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/*
USER redis
WORKDIR /var/lib/redis
