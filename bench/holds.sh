# Three rows: what looks at a server add to its requests, how long one of 1,000 threads takes, and how long a thread is stopped.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory holds
export GLIMPSE_SPEC_PATH="$src/probes/threads"

${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -o "$work/holds" "$src/bench/holds.c" -lpthread >&2 || exit 2

# p99 [LOOKS]: of the requests of a server, us; the median of three runs, with ten looks a second or without any
p99() {
	for _ in 1 2 3; do
		rm -f "$work/said"
		"$work/holds" >"$work/said" &
		server=$!
		while [ ! -s "$work/said" ]; do sleep 0.1; done
		[ -z "$1" ] || "$build/glimpse" holds --watch=0.1 --format=csv "$(head -n 1 "$work/said")" >>"$work/looks"
		wait "$server" || exit 2
		tail -n 1 "$work/said"
	done | sort -n | sed -n 2p
}
without=$(p99)
with=$(p99 looks)
echo "$with $without" | awk '{ printf "99th percentile of requests, added by 10 looks a second, us\t%.0f\t<=5000\t%.0f us beside %.0f us\n", $1 - $2, $1, $2 }'

rm -f "$work/said"
"$work/holds" 1000 >"$work/said" &
process=$!
while [ ! -s "$work/said" ]; do sleep 0.1; done
repeats=5
ns=$(fastest took_ns "$build/glimpse" holds "$process")
for _ in $(seq 50); do
	"$build/glimpse" holds --format=csv "$process" >>"$work/looks" || exit 2
done
kill -9 "$process"
echo "$ns" | awk '{ printf "a look at 1,000 threads, s\t%.2f\t<=2\t\n", $1 / 1e9 }'
# the column "stopped"
awk -F, '$18 + 0 > 0 { print $18 / 1000 }' "$work/looks" | sort -n | awk '{ all[NR] = $1 }
END { printf "a stop of a running thread, 99th percentile, us\t%s\t<=1000\t%d stops, median %s us, longest %s us\n",
	NR ? all[int((NR - 1) * .99) + 1] : "-", NR, all[int((NR - 1) / 2) + 1], all[NR] }'
