# Rows: by how much the replay without changes misses the recorded run, for real programs with the default probes.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory identity
export LC_ALL=C
megabytes=${IDENTITY_MEGABYTES:-40} repeats=${IDENTITY_REPEATS:-3}

# missing ROW PACKAGE TOOL: says so
missing() {
	command -v "$3" >/dev/null && return 1
	echo "bench: no row for the replay of $1: apt install $2" >&2
}

# record PROGRAM...: into a new directory $work/run.N. A log of the program's own, $own.PID, is not the probes': its threads would
# be there twice.
record() {
	recorded=$((recorded + 1))
	"$build/glimpse" record -q -o "$work/run.$recorded" -- "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
	[ -z "$own" ] || rm -rf "$work/run.$recorded/$own".*
}

# row NAME: of the recorded runs the one with the median
row() {
	for directory in "$work"/run.*; do
		"$build/glimpse" whatif --anyway --format=json "$directory" 2>"$work/errors" || { cat "$work/errors" >&2; continue; }
	done | sed -n 's/^ *"\(recorded\|replayed\|unexplained\)": \(-*[0-9]*\),*$/\1 \2/p' |
		awk '{ v[$1] = $2 }
			$1 == "unexplained" {
				off = 100 * (v["replayed"] / v["recorded"] - 1)
				print off < 0 ? -off : off, v["recorded"], v["replayed"], $2
			}' | sort -n |
		awk -v name="$1" -v misses="$work/misses" '{ line[NR] = $0 }
			END {
				if (!NR)
					exit
				split(line[int((NR + 1) / 2)], is, " ")
				printf "replay unchanged of %s: off by, %%\t%.2f\t<= 3\t%.3f s, replayed %.3f s; median of %d runs\n",
					name, is[1], is[2] / 1e9, is[3] / 1e9, NR
				print is[1] >>misses
			}'
	rm -rf "$work"/run.*
	recorded=0
}

# command_row NAME PACKAGE PROGRAM...
command_row() {
	local name=$1 package=$2
	shift 2
	missing "$name" "$package" "$1" && return
	for _ in $(seq "$repeats"); do
		record "$@"
	done
	row "$name"
}

# A server under load: recorded until the load has told it to end.
redis_row() {
	missing redis 'redis-server redis-tools' redis-server && return
	missing redis 'redis-server redis-tools' redis-benchmark && return
	for _ in $(seq "$repeats"); do
		(
			for _ in $(seq 100); do
				redis-cli -s "$work/socket" ping >/dev/null 2>&1 && break
				sleep 0.1
			done
			redis-benchmark -s "$work/socket" -n 40000 -c 20 -t set,get,lpush -q
			redis-cli -s "$work/socket" shutdown nosave
		) >"$work/load" 2>&1 &
		record redis-server --port 0 --unixsocket "$work/socket" --io-threads 2 --save '' --dir "$work"
		wait
	done
	row 'redis under load'
}

solver_row() {
	${CC:-cc} -O2 -fopenmp -o "$work/solver" "$src/bench/solver.c" 2>/dev/null ||
		{ echo 'bench: no row for the replay of an OpenMP solver: the compiler has no -fopenmp' >&2; return; }
	command_row 'an OpenMP solver' gcc "$work/solver"
}

java_row() {
	if [ ! -f "$build/glimpse.jar" ] || ! command -v javac >/dev/null; then
		echo 'bench: no row for the replay of HttpQueue: configured without a JDK (apt install openjdk-17-jdk-headless)' >&2
		return
	fi
	mkdir "$work/java"
	"$build/glimpsec" -l java -o "$work/java" "$src/examples/httpqueue/httpqueue.spec" &&
		javac -cp "$build/glimpse.jar" -d "$work/java" "$work"/java/*.java "$src"/examples/httpqueue/*.java >&2 || exit 2
	own=HttpQueue
	command_row 'HttpQueue in Java' openjdk-17-jre-headless java -cp "$build/glimpse.jar:$work/java" HttpQueue
	own=''
}

recorded=0 own=''
sh "$src/examples/pgz/make-input" "$work/input" "$megabytes" || exit 2
tr -c 'a-z\n' '\n' <"$work/input" >"$work/words"
cat "$work/words" "$work/words" "$work/words" "$work/words" | head -n $((megabytes * 80000)) >"$work/lines"
command_row pigz pigz pigz -k -f "$work/input"
command_row pbzip2 pbzip2 pbzip2 -k -f -q "$work/input"
command_row 'xz -T4' xz-utils xz -1 -k -f -T4 --block-size=1MiB "$work/input"
command_row 'zstd -T4' zstd zstd -q -9 -k -f -T4 -B1MiB "$work/input"
command_row 'sort --parallel=4' coreutils sort --parallel=4 -S 100M -o "$work/sorted" "$work/lines"
redis_row
solver_row
java_row
${CC:-cc} -O1 -o "$work/pool" "$src/bench/spinning_pool.c" -lpthread || exit 2
command_row 'a pool with spinning locks' gcc "$work/pool"
sort -n "$work/misses" | awk '{ x[NR] = $1 }
	END { printf "replay unchanged: off by, in the median, %%\t%.2f\t<= 0.5\tof %d programs\n", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2, NR }'
