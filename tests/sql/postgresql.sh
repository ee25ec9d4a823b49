# A PostgreSQL of a test's own, below its working directory. Sourced after tests/docs/tap.sh.

# postgresql_start: starts it, for psql without options; fails, and says why, if it cannot be had. It ends with the test, not with a
# subshell.
postgresql_start() {
	local programs as=() cluster=$work/postgresql
	programs=$(find /usr/lib/postgresql /usr/bin -name initdb 2>/dev/null | sort -V | tail -n 1)
	if [ ! "$programs" ] || ! command -v psql >/dev/null; then
		echo 'postgresql is not installed'
		return 1
	fi
	programs=${programs%/*}
	mkdir -m 700 "$cluster" || return 1
	if [ "$(id -u)" = 0 ]; then # which the server refuses
		as=(setpriv --reuid=postgres --regid=postgres --init-groups)
		chown postgres "$cluster" && chmod a+x "$work" || return 1
	fi
	postgresql_control=("${as[@]}" "$programs/pg_ctl" -D "$cluster/data" -l "$cluster/log" -w)
	trap 'cd /; postgresql_stop; rm -rf "$work"' EXIT
	# by its socket only, whose folder is its user's
	if ! { (cd / && timeout 60 "${as[@]}" "$programs/initdb" -D "$cluster/data" -A trust -U tester -E UTF8 --locale=C --no-sync) &&
		(cd / && timeout 60 "${postgresql_control[@]}" -o "-k '$cluster' -c listen_addresses= -c fsync=off -c full_page_writes=off" start); } \
		>"$work/postgresql.log" 2>&1; then
		echo "PostgreSQL does not start: $(tail -n 1 "$work/postgresql.log")"
		return 1
	fi
	export PGHOST=$cluster PGUSER=tester PGDATABASE=postgres PSQLRC=/dev/null
	unset PGPORT PGSERVICE PGPASSWORD PGOPTIONS
}

postgresql_stop() {
	[ ! -e "$work/postgresql/data/postmaster.pid" ] || (cd / && timeout 60 "${postgresql_control[@]}" -m immediate stop >/dev/null 2>&1)
}
