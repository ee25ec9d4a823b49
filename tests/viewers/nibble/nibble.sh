# What the tests of the program nibble share: a small run, and checks of its answers. Sourced.
. "$SRC/tests/docs/tap.sh"
need nibble glimpse tests/trace/mklog
working_directory
"$BUILD/tests/trace/mklog" "$SRC/tests/viewers/nibble/small.recipe" run || exit 1
unset DISPLAY WAYLAND_DISPLAY

nibble() {
	"$BUILD/nibble" "$@"
}

trace=run
# values EXPRESSION WANTED [OPTION...]: the rows of --csv of $trace without the series' name, joined by blanks
values() {
	local expression=$1 wanted=$2 said
	shift 2
	said=$(nibble --csv "$@" -- "$trace" "$expression" | tail -n +2 | sed -E 's/^"([^"]|"")*",//' | tr '\n' ' ')
	[ "${said% }" = "$wanted" ] || { echo "$said"; return 1; }
}

# refused MESSAGE ARGUMENT...: exit status 2, and the message on standard error
refused() {
	local message=$1 status=0
	shift
	nibble "$@" >out 2>err || status=$?
	[ "$status" = 2 ] && [ ! -s out ] && grep -qF -- "$message" err || { cat out err; return 1; }
}
