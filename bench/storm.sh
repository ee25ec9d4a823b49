# Rows: what a lock storm costs to analyse. One is recorded of SQLite with two threads and its default settings,
# some 19 million events; one of 100 million is made. Memory is that which a command has for itself.

. "${src:?set by bench/run}/bench/script.sh"
need_tools 'lock storms' time /usr/bin/time
need_programs glimpse bench/storm bench/replay
work_directory storm
million=${STORM_MILLION:-100}

# took COMMAND...: seconds, and MB of memory at most; what it prints is in $work/answer.
took() {
	began=$(date +%s%N)
	"$@" >"$work/answer" 2>"$work/errors" &
	pid=$!
	most=$(memory_of $pid 0.02)
	wait $pid || { cat "$work/errors" >&2; return 1; }
	echo "$began $(date +%s%N) $most" | awk '{ print ($2 - $1) / 1e9, $3 / 1024 }'
}

# row NAME TARGET "SECONDS MB": a row of the time, which the memory follows.
row() {
	printf '%s, s\t%.1f\t<= %s\t%.0f MB of memory, %.1f times the logs\n' "$1" "${3% *}" "$2" "${3#* }" "$(echo "${3#* } $logs" | awk '{ print $1 / $2 }')"
}

# memory NAME MB: a row of the memory.
memory() {
	printf '%s, memory, times the logs\t%.1f\t<= 2.5\t%.0f MB / %.0f MB\n' "$1" "$(echo "$2 $logs" | awk '{ print $1 / $2 }')" "$2" "$logs"
}

# whatif NAME SECONDS DIRECTORY: rows of a replay without changes, and with one lock gone.
whatif() {
	measured=$(took "$build/glimpse" whatif --format=csv --lock "$4=none" "$3")
	[ -n "$measured" ] || { printf '%s whatif --lock, s\trefused\t<= %s\t%s\n' "$1" "$2" "$(head -c 200 "$work/errors")"; return; }
	awk -F, -v name="$1" 'NR == 2 { printf "%s whatif, unchanged replay off by, %%\t%.2f\t<= 3\t\n", name, 100 * ($2 > $1 ? $2 - $1 : $1 - $2) / $1 }' "$work/answer"
	row "$1 whatif --lock" "$2" "$measured"
	memory "$1 whatif --lock" "${measured#* }"
}

# commands NAME WHY RANK LOCKS THREADS DIRECTORY: rows of the commands, with the seconds wanted.
commands() {
	logs=$(du -sm "$6" | cut -f1)
	why=$(took "$build/glimpse" why "$6") && row "$1 why" "$2" "$why" && memory "$1 why" "${why#* }" || exit 2
	rank=$(took "$build/glimpse" rank "$6") && row "$1 rank" "$3" "$rank" && memory "$1 rank" "${rank#* }" || exit 2
	row "$1 locks" "$4" "$(took "$build/glimpse" locks "$6")"
	row "$1 threads" "$5" "$(took "$build/glimpse" threads "$6")"
}

sqlite() {
	cat >"$work/sqlite.c" <<-'C'
		#include <pthread.h>
		#include <sqlite3.h>
		static void *run(void *p)
		{
			sqlite3 *db;
			sqlite3_stmt *s;
			sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0);
			sqlite3_exec(db, "create table t(a integer primary key, b text)", 0, 0, 0);
			for (int i = 0; i < 60000; i++) {
				sqlite3_prepare_v2(db, "insert into t(b) values(?1||'x')", -1, &s, 0);
				sqlite3_bind_text(s, 1, "hello world", -1, SQLITE_TRANSIENT);
				sqlite3_step(s);
				sqlite3_finalize(s);
			}
			sqlite3_close(db);
			return p;
		}
		int main(void)
		{
			pthread_t t[2];
			for (int i = 0; i < 2; i++)
				pthread_create(&t[i], 0, run, 0);
			for (int i = 0; i < 2; i++)
				pthread_join(t[i], 0);
			return 0;
		}
	C
	${CC:-cc} -O2 -g -o "$work/sqlite" "$work/sqlite.c" -lsqlite3 -lpthread 2>"$work/errors" || {
		echo "bench: no rows for a lock storm of SQLite: apt install libsqlite3-dev" >&2
		return
	}
	"$build/glimpse" record -q -o "$work/recorded" -- "$work/sqlite" || exit 2
	commands 'storm of SQLite:' 6 4 3.3 1 "$work/recorded"
	row 'storm of SQLite: stats' 3 "$(took "$build/glimpse" stats "$work/recorded")"
	whatif 'storm of SQLite:' 8 "$work/recorded" 'lock 2'
	rm -rf "$work/recorded"
}

sqlite
"$build/bench/storm" ${million}000000 "$work/made" && "$build/bench/storm" $((million / 10))000000 "$work/tenth" || exit 2
commands "storm of $million million events:" 30 20 3 3 "$work/made"
large_why=${why% *} large_rank=${rank% *}
whatif "storm of $million million events:" 30 "$work/made" 'lock 1'
printf 'replay, million operations a second\t%s\t>= 10\tof that storm, processor time\n' "$("$build/bench/replay" "$work/made")"
why=$(took "$build/glimpse" why "$work/tenth") && rank=$(took "$build/glimpse" rank "$work/tenth") || exit 2
printf 'why, ten times the storm, times\t%.1f\t<= 13\t\n' "$(echo "$large_why ${why% *}" | awk '{ print $1 / $2 }')"
printf 'rank, ten times the storm, times\t%.1f\t<= 13\t\n' "$(echo "$large_rank ${rank% *}" | awk '{ print $1 / $2 }')"
