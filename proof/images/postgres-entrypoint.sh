# What POSTGRES_USER, POSTGRES_DB and POSTGRES_PASSWORD_FILE say is made at the first start, as by the official image.
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
data=/var/lib/postgresql/data/pg
if [ ! -e "$data/PG_VERSION" ]; then
  "$bin/initdb" -D "$data" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile "$POSTGRES_PASSWORD_FILE" >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "create database $POSTGRES_DB" | "$bin/postgres" --single -D "$data" postgres >/dev/null || true
fi
exec "$bin/postgres" -D "$data" -c listen_addresses='*'
