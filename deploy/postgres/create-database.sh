#!/bin/sh
# Run once by the image of PostgreSQL, for an empty volume: the service gets a role of its own. It owns its
# database only; the superuser of the image could run programs and read files.
set -eu
psql --no-psqlrc --username="$POSTGRES_USER" --dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$COLOPHON_PASSWORD" --quiet <<'SQL'
create role colophon login password :'password';
create database colophon owner colophon template template0 encoding 'UTF8';
revoke connect on database postgres from public;
SQL
