# TAP for shell tests. Sourced.
: "${BUILD:?make check runs this}"

count=0
failures=0

# On a machine with other work, threads of OpenMP that wait in a loop would take the processors from those they wait for.
export OMP_WAIT_POLICY=passive

# mawk prints whole numbers of 2^31 and more as 2.8e+09: nanoseconds of a run of two seconds.
awk() {
	command awk -v OFMT=%.15g -v CONVFMT=%.15g "$@"
}

# report STATUS NAME: one line for a test that passed (0) or not
report() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		failures=$((failures + 1))
		echo "not ok $count - $2"
	fi
}

# ok NAME COMMAND...: the command must succeed; what it says is shown when it does not
ok() {
	local name=$1 status=0 said
	shift
	said=$("$@" 2>&1) || status=1
	[ "$status" = 0 ] || [ -z "$said" ] || sed 's/^/# /' <<<"$said"
	report "$status" "$name"
}

# again COMMAND...: what other work on this machine, or on its host, disturbs is tried sixteen times, later and later
again() {
	local i
	for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		sleep "$((i / 5)).$((i * 2 % 10))"
		"$@" >again.log 2>&1 && return
	done
	cat again.log
	return 1
}

# skip NAME WHY
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# Ends the test.
plan() {
	echo "1..$count"
	[ "$failures" = 0 ]
}

# working_directory: an empty one, left behind and removed at the end
working_directory() {
	work=$(mktemp -d)
	trap 'cd /; rm -rf "$work"' EXIT
	cd "$work" || exit 1
}

# need TOOL...: skips the whole test when one of them was not built or is not installed
need() {
	local tool
	for tool; do
		PATH="$BUILD:$PATH" command -v "$tool" >/dev/null && continue
		echo "1..0 # SKIP $tool is missing"
		exit 0
	done
}
