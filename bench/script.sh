# What the scripts of the bench share; they read it with `.`. bench/run says what the environment has.

: "${BENCH_DIR:?set by bench/run}" "${build:?}" "${src:?}"

# need_tools ROW PACKAGES TOOL...: without one of the tools there is no such row, and the script ends.
need_tools() {
	row=$1 packages=$2
	shift 2
	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "bench: no row for $row: apt install $packages" >&2
		exit 0
	done
}

# need_programs PROGRAM...: of the build; without one of them the script ends.
need_programs() {
	for program; do
		[ -x "$build/$program" ] && continue
		echo "bench: ${0##*/} is left out, as $program is not built" >&2
		exit 0
	done
}

# work_directory NAME: a directory $work, which is gone when the script ends.
work_directory() {
	work=$BENCH_DIR/$1
	mkdir "$work" || exit 2
	trap 'rm -rf "$work"' EXIT
}

# memory_of PID SECONDS: the most memory that a process has for itself, kB; it is looked at that often until it ends.
memory_of() {
	most=0
	while now=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$1/status" 2>/dev/null) && [ -n "$now" ]; do
		[ "$now" -gt "$most" ] && most=$now
		sleep "$2"
	done
	echo "$most"
}

# took_ns COMMAND...: how long it takes; nobody sees what it prints.
took_ns() {
	began=$(date +%s%N)
	"$@" >/dev/null || exit 2
	echo $(($(date +%s%N) - began))
}

# fastest COMMAND...: the shortest of $repeats runs, ns; other programs make them longer, never shorter
fastest() {
	for i in $(seq "$repeats"); do
		"$@" || exit 2
	done | sort -n | head -n 1
}

# record_fastest DIRECTORY PROGRAM...: keeps the one of $repeats runs, recorded with $probes, whose program says the shortest
# time, and sets said to that.
record_fastest() {
	to=$1
	shift
	for i in $(seq "$repeats"); do
		"$build/glimpse" record -q --probes "$probes" -o "$work/run.$i" -- "$@" >"$work/said" 2>/dev/null || exit 2
		echo "$(cat "$work/said") $work/run.$i"
	done | sort -n >"$work/list"
	rm -rf "$to"
	# shellcheck disable=SC2034 # for the script
	read -r said best <"$work/list"
	mv "$best" "$to"
	rm -rf "$work"/run.*
}
