# A PostgreSQL of a test's own, below its working directory. Sourced after tests/docs/tap.sh.

# postgresql_start: starts it, for psql without options; fails, and says why, if it cannot be had. It ends with the test, not with a subshell.
postgresql_start() {
	local programs as=() cluster=$work/postgresql
	programs=$(find /usr/lib/postgresql /usr/bin -name initdb 2>/dev/null | sort -V | tail -n 1)
	[ "$programs" ] && command -v psql >/dev/null || { echo 'postgresql is not installed'; return 1; }
	programs=${programs%/*}
	mkdir -m 700 "$cluster" || return 1
	if [ "$(id -u)" = 0 ]; then # which the server refuses
		as=(setpriv --reuid=postgres --regid=postgres --init-groups)
		chown postgres "$cluster" && chmod a+x "$work" || return 1
	fi
	trap 'cd /; postgresql_stop; rm -rf "$work"' EXIT
	(cd / && timeout 60 "${as[@]}" "$programs/initdb" -D "$cluster/data" -A trust -U tester -E UTF8 --locale=C --no-sync) >"$work/initdb.log" 2>&1 &&
		# by its socket only, whose folder is its user's
		(cd / && timeout 60 "${as[@]}" "$programs/pg_ctl" -D "$cluster/data" -l "$cluster/log" -w -o \
			"-k '$cluster' -c listen_addresses= -c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0" \
			start) >>"$work/initdb.log" 2>&1 || {
		echo "PostgreSQL does not start: $(tail -n 1 "$work/initdb.log")"
		return 1
	}
	postgresql_stop() {
		(cd / && "${postgresql_ctl[@]}" -m immediate stop >/dev/null 2>&1)
	}
	postgresql_ctl=(timeout 60 "${as[@]}" "$programs/pg_ctl" -D "$cluster/data")
	export PGHOST=$cluster PGUSER=tester PGDATABASE=postgres
	unset PGPORT PGSERVICE PGPASSWORD PGOPTIONS
	export PSQLRC=/dev/null
}
postgresql_stop() { :; }
