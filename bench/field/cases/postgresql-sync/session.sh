#!/bin/bash
# Usage: session.sh SYNCHRONOUS_COMMIT STATEMENTS. Runs as a user other than root, as PostgreSQL demands: starts the
# server, runs the file of statements, each of which is a transaction, and ends the server.
bin=$(echo /usr/lib/postgresql/*/bin)
"$bin/postgres" -D data -c listen_addresses= -c unix_socket_directories="$PWD/data" 2>data/server.log &
server=$!
while kill -0 "$server" && ! "$bin/pg_isready" -q -h "$PWD/data"; do sleep 0.02; done
PGOPTIONS="-c synchronous_commit=$1" "$bin/psql" -X -q -h "$PWD/data" -f "$2" postgres
status=$?
kill "$server"
wait
exit "$status"
