# Compares SQL with glimpse match. Sourced; makes the working directory, and installs engines.
. "${SRC:?make check runs this}/tests/docs/tap.sh"
need glimpse python3
working_directory
export PATH="$BUILD:$PATH" LC_ALL=C.UTF-8
. "$SRC/tests/sql/python.sh"
. "$SRC/tests/sql/postgresql.sh"

# engine_start ENGINE: fails, and says why, if it cannot be had
engine_start() {
	if [ "$1" = postgresql ]; then postgresql_start; else python_engines; fi
}

# engine ENGINE: skips the whole test without it
engine() {
	engine_start "$1" >why || {
		echo "1..0 # SKIP $(cat why)"
		exit 0
	}
}

# equal NAME ENGINE ARGUMENT...: a test of equal.py, whose counts are always shown
equal() {
	local name=$1
	shift
	PYTHONDONTWRITEBYTECODE=1 timeout 600 python3 "$SRC/tests/sql/equal.py" "$@" 2>errors
	set -- $?
	[ "$1" = 0 ] || sed 's/^/# /' errors
	report "$1" "$name"
}

# equal_random ENGINE N: N or $CASES random specifications and traces, from $SEED on
equal_random() {
	local seed=${SEED:-$(($(date +%s) * 1000))} cases=${CASES:-$2}
	[[ $TEST_CFLAGS != *-fsanitize=* ]] || cases=${CASES:-$(($2 / 10))}
	echo "# SEED=$seed"
	LIMIT=${LIMIT:-30} equal "$1 finds what match finds, in $cases random cases" "$1" "$seed" "$cases"
}
