#!/bin/sh
# Usage: session.sh FLUSH STATEMENTS. Starts MariaDB, runs the file of statements, each of which is a transaction, and
# shuts it down. FLUSH is innodb_flush_log_at_trx_commit.
rm -f mariadb.sock
mariadbd --no-defaults --user=root --datadir="$PWD/data" --socket="$PWD/mariadb.sock" --pid-file="$PWD/mariadb.pid" \
	--skip-networking --innodb-buffer-pool-size=16M --innodb-flush-log-at-trx-commit="$1" 2>server.log &
server=$!
while kill -0 "$server" && ! mariadb-admin --no-defaults --socket=mariadb.sock ping >/dev/null 2>&1; do sleep 0.05; done
mariadb --no-defaults --socket=mariadb.sock test <"$2"
status=$?
mariadb-admin --no-defaults --socket=mariadb.sock shutdown
wait
exit "$status"
