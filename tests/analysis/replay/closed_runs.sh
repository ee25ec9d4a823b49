# Makes runs whose changed times have closed forms (closed_runs.py). Sourced by tests of glimpse whatif.
. "$SRC/tests/docs/tap.sh"
need glimpse tests/trace/mklog
working_directory
unset GLIMPSE_DIR GLIMPSE_KEEP GLIMPSE_OFF GLIMPSE_CHILDREN
export LC_ALL=C
glimpse=$BUILD/glimpse

declare -A calls=(
	[amdahl]='amdahl()'
	[told]='told()'
	[told_early]='told(99990)'
	[untold]='told(50e3)'
	[desk]='desks(1)'
	[desks]='desks(2)'
	[pipeline]='pipeline()'
	[table]='table()'
	[reading]='reading()'
	[sliced]='sliced()'
	[late]='stamps([(1, 2)], 2.02, 2.1)'
	[early]='stamps([(2.01, 3)], 2, 3.05, gives=1.5)'
	[serial2]='serial(2)'
	[serial1]='serial(1)'
	[serial]='serial()'
	[bound]='bound()'
	[polls]='polling()'
	[sleeps]='polling(140)'
	[yielding]='yielding()'
	[flights]='flights()'
	[trying]='trying()'
	[trying_both]='trying_both()'
	[spinning]='spinning()'
	[period]='periodic(1)'
	[late_period]='periodic(1, work=12e3)'
	[pauses]='periodic(0)'
	[flagged]='flagged()'
	[flagged_often]='flagged(1)'
	[kept]='kept()'
	[limited]='limited()'
	[limited_once]='limited(60e3)'
	[limited_tells]='limited(tell=True)'
	[ticking]='ticking()'
	[inner]='inner()'
	[coming]='stamps([(1, 2), (2.1, 2.2)], 1.5, 2.6)'
	[missed]='stamps([(1, 2), (2.1, 2.6)], 1.5, 2.75)'
)
# run NAME CALL: makes the logs NAME
run() {
	python3 "$SRC/tests/analysis/replay/closed_runs.py" "$2" >"$1.recipe" && "$BUILD/tests/trace/mklog" "$1.recipe" "$1"
}
# make_runs NAME...: makes these logs
make_runs() {
	local name
	for name; do
		run "$name" "${calls[$name]}" || exit 1
	done
}

# takes NS DIRECTORY OPTION...: what whatif predicts
takes() {
	local is wanted=$1
	shift
	is=$("$glimpse" whatif --format=json "$@" | awk -F'[:,]' '/"predicted"/ { print $2 + 0 }')
	[ "$is" = "$wanted" ] || { echo "predicted $is, not $wanted"; return 1; }
}
