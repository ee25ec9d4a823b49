# Commands run plain and recorded, whose output, files and status must be the same. Sourced.
# Each runs once with all probes and with one of four sets of them, in turn. GLIMPSE_RUNS is how often each runs with each
# set, and with each probe alone.
# GLIMPSE_SET: this set alone, as threads,scheduler,samples, which is recorded by default; "timers" is that set where the
# kernel refuses perf_event, so that timers in the program take the samples.
. "$SRC/tests/probes/record.sh"
# shellcheck disable=SC2034 # for those that source this
here=$SRC/tests/probes/same
SAME_SECONDS=60 # a command that takes longer hangs

# What records here: those of the build; the scheduler is one of them, also where it has to sample.
mapfile -t probes < <(glimpse record --probes list | grep -v '^ ' | grep -v 'not available' | sed 's/ .*//')
[ ${#probes[@]} -gt 0 ] || { echo '1..0 # SKIP no probe was built'; exit 0; }

# built PROBE...: those of them that were built, with commas between them
built() {
	local probe list=
	for probe; do
		[[ " ${probes[*]} " != *" $probe "* ]] || list+=,$probe
	done
	echo "${list#,}"
}
all=$(built "${probes[@]}")
runs=${GLIMPSE_RUNS:-1}
mapfile -t sets < <(for set in 'threads scheduler samples' 'memory new scheduler' 'io functions' \
	'openmp java resources threads' "${probes[*]}"; do
	# shellcheck disable=SC2086 # a word for each probe
	built $set
done | awk 'NF && !seen[$0]++')
[ -z "$GLIMPSE_RUNS" ] || sets+=("${probes[@]}")
program refuses
[ -z "$GLIMPSE_SET" ] || sets=("$GLIMPSE_SET")

# outcome COMMAND: runs it in an empty directory; all that it prints and writes, and how it ends, goes to the file outcome
outcome() {
	rm -rf here && mkdir here
	# the shell says of a program that a signal ended
	(cd here && { timeout -k 5 "$SAME_SECONDS" bash -c "$1" >output 2>said </dev/null; } 2>/dev/null
		echo "exit status $?" >status; find . -type f | sort | xargs sha256sum) >outcome
	[ "$(wc -l <outcome)" -ge 3 ]
}

# plain COMMAND: its outcome without a recorder, which the recorded ones are compared with
plain() {
	outcome "${1//RECORD/}" || return 1
	mv outcome without && rm -rf without.here && mv here without.here
	! grep -qx 'exit status 1\(24\|27\|37\)' without.here/status || { cat without.here/*; return 1; }
}

# equal COMMAND PROBES: the command, in which RECORD stands before the program, ends as it did plain
equal() {
	local n wanted=$2 within=
	[ "$2" != timers ] || { wanted=$(built threads scheduler samples) within=$work/refuses; }
	for n in $(seq "$runs"); do
		# what the program left behind may still log there
		rm -rf run* 2>/dev/null || { sleep 1; rm -rf run*; }
		outcome "${1//RECORD/$within glimpse record -q -o $work/run --probes $wanted --}"
		# some probes alone may have nothing to log
		[ -d run ] && { [ "$2" != "$all" ] || [ -e run/process ]; } || { echo "run $n was not recorded"; cat here/said; return 1; }
		if ! diff without outcome; then
			echo "run $n differs"
			diff -r without.here here | head -20
			return 1
		fi
	done
}

# Which of the sets the next command runs with.
rows=0
sets_of_row() {
	if [ -n "$GLIMPSE_RUNS$GLIMPSE_SET$every_set" ] || [ ${#sets[@]} -lt 2 ]; then
		printf '%s\n' "${sets[@]}"
	else
		printf '%s\n' "${sets[rows % (${#sets[@]} - 1)]}" "${sets[-1]}"
	fi
}

# same NAME TOOL COMMAND: every_set: with each set
same() {
	local set row
	if ! command -v "$2" >/dev/null; then
		skip "$1" "$2 is missing"
		return
	fi
	ok "$1: plain" plain "$3"
	mapfile -t row < <(sets_of_row)
	rows=$((rows + 1))
	for set in "${row[@]}"; do
		ok "$1: $set" equal "$3" "$set"
	done
}
