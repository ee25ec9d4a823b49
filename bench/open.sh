# Rows: what it takes to open a recorded program, whose threads have logs of their own and the scheduler's: of one that is
# switched seldom (pairs), and of one that is switched at nearly each event (turns). The time is that of `glimpse info`,
# in times of `cat`, which reads the same bytes; memory is that which it has for itself.
# OPEN_PAIRS, OPEN_TURNS: yields of each of their eight threads (20,000 and 300,000: some 10 million events).

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory open
repeats=5

# most_memory: kB of one opening. The process is looked at all the time, as it is soon over.
most_memory() {
	"$build/glimpse" info "$work/run" >/dev/null &
	memory_of $! 0
	wait $! || exit 2
}

# rows NAME YIELDS MEMORY TIME: of a program, with the targets.
rows() {
	${CC:-cc} -O2 -D_GNU_SOURCE -o "$work/$1" "$src/bench/$1.c" -lpthread || exit 2
	"$build/glimpse" record -q --full -o "$work/run" -- "$work/$1" "$2" || exit 2
	logs=$(cat "$work"/run/log.* | wc -c)
	kb=$(for i in $(seq $repeats); do most_memory; done | sort -n | tail -n 1)
	echo "$kb $logs $(fastest took_ns "$build/glimpse" info "$work/run") $(fastest took_ns cat "$work"/run/log.*)" | awk -v name="$1" -v memory="$3" -v time="$4" '{
		printf "open a recording of %s: memory, times the logs\t%.2f\t<= %s\t%.0f of %.0f MB\n", name, $1 * 1024 / $2, memory, $1 / 976.6, $2 / 1e6
		printf "open a recording of %s: time, times cat\t%.1f\t%s\t%.0f and %.0f ms\n", name, $3 / $4, time, $3 / 1e6, $4 / 1e6
	}'
	rm -rf "$work/run"
}

rows pairs "${OPEN_PAIRS:-20000}" 0.25 "<= 10"
rows turns "${OPEN_TURNS:-300000}" 2 -
