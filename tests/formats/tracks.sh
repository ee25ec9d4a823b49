# What the tests of the exports to viewers of slices share. Sourced, after tap.sh.
need glimpse python3
working_directory
export PATH="$BUILD:$PATH" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRC/tests/formats:$SRC/tests/analysis/samples
SEED=${SEED:-$((RANDOM * 32768 + RANDOM))}

# random FORMAT PYTHON: random traces, all of which must be in what is exported
random() {
	local i
	for ((i = SEED; i < SEED + 8; i++)); do
		rm -rf run && python3 "$SRC/tests/formats/tracks_random.py" "$i" recipe truth.json &&
			"$BUILD/tests/trace/mklog" recipe run && glimpse stats --format=csv run >stats.csv &&
			timeout 60 glimpse export run --format="$1" -o exported &&
			timeout 60 "$2" "$SRC/tests/formats/tracks_check.py" "$1" exported truth.json stats.csv ||
			{ echo "SEED=$i"; return 1; }
	done
}

# chosen FORMAT PYTHON: of the chosen threads and intervals alone
chosen() {
	rm -rf run && "$BUILD/tests/trace/mklog" "$SRC/tests/formats/tracks.recipe" run &&
		glimpse export run --format="$1" --thread 0 --interval Work -o exported && "$2" - "$1" <<-'P'
			import sys
			from tracks_read import READERS
			found = READERS[sys.argv[1]]("exported")
			assert [(i[1], i[3]) for i in found.instants if i[2] == "event"] == \
			    [("Begin", 0), ("Begin", 10), ("End", 20), ("End", 30)], found.instants
			slices = sorted((s[1], s[3], s[4]) for s in found.slices)
			assert slices == [("Work", 0, 20), ("Work", 10, 30)], slices
			assert len({s[0] for s in found.slices}) == 2, "they do not nest"
			assert not found.flows
			assert [c[1:] for c in found.counters] == [(0, 1), (10, 2), (20, 1), (30, 0)], found.counters
		P
}

# samples FORMAT PYTHON: the stacks of samples, as an oracle finds them frame by frame
samples() {
	local i
	for ((i = SEED; i < SEED + 4; i++)); do
		rm -rf run && python3 "$SRC/tests/analysis/samples/sample_logs.py" rand "$i" >recipe &&
			"$BUILD/tests/trace/mklog" recipe run && glimpse export run --format="$1" -o exported && "$2" - "$1" <<-'P' ||
				import sys
				from sample_oracle import Samples
				from tracks_read import READERS
				found = READERS[sys.argv[1]]("exported")
				samples, expected = Samples("run"), []
				for thread, log in samples.threads.items():
				    if not any(what == "B" for _, what, _ in log):
				        expected += [(int(thread), log[-1][0] if to is None else to, [f for f in stack if f])
				                     for _, to, stack in samples.stretches(log)]
				number = {t["id"]: t["number"] for t in found.threads}
				got = [(number[track[1]], time, stack) for track, time, stack in found.samples]
				assert sorted(got) == sorted(expected), (sorted(got)[:5], sorted(expected)[:5])
			P
			{ echo "SEED=$i"; return 1; }
	done
}
