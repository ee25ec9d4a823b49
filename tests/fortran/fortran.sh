# Sourced by the tests of this folder. GOLDEN_UPDATE=1 makes the output at hand the golden one.

. "$SRC/tests/docs/tap.sh"

folder=$SRC/tests/fortran
FC=${FC:-gfortran}
command -v "${FC%% *}" >/dev/null || {
	echo "1..0 # SKIP there is no Fortran compiler (apt install gfortran)"
	exit 0
}

# What the generated module promises, and what its C file does.
strict='-std=f2008 -Wall -Wextra -pedantic -Werror'
strict_c='-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# golden FILE NAME: the file equals expected/NAME. The version of glimpsec is not part of it.
golden() {
	sed 's/by glimpsec [0-9][0-9.a-z-]*/by glimpsec VERSION/' "$1" >"$work/stable"
	if [ -n "$GOLDEN_UPDATE" ]; then
		cp "$work/stable" "$folder/expected/$2"
	fi
	diff -u "$folder/expected/$2" "$work/stable"
}

# stubs SPEC OPTION...: generated, and compiled without a warning to NAME_module.o and NAME_stubs.o; many events take long to
# optimise (-O0)
stubs() {
	local name
	name=$(basename "$1" .spec)
	"$BUILD/glimpsec" -l fortran -Wno-unused-attribute "$1" || return 1
	shift
	[ -f glimpse.o ] || $FC $TEST_CFLAGS $strict -c "$SRC/runtime/glimpse.f90" -o glimpse.o || return 1
	$FC $TEST_CFLAGS $strict "$@" -c "${name}_glimpse.f90" -o "${name}_module.o" &&
		$CC $TEST_CFLAGS $strict_c "$@" -I"$SRC/runtime" -I. -c "${name}_glimpse_f.c" -o "${name}_f.o" &&
		$CC $TEST_CFLAGS $strict_c "$@" -I"$SRC/runtime" -I. -c "${name}_glimpse.c" -o "${name}_c.o"
}

# link SPEC OUTPUT ARGUMENT...: a program with the stubs of the specification; sources and options of the compiler
link() {
	local name=$1 output=$2
	shift 2
	$FC $TEST_CFLAGS -I. "$@" glimpse.o "${name}_module.o" "${name}_f.o" "${name}_c.o" \
		"$BUILD/.libs/libglimpse.a" -lpthread -o "$output"
}

# events DIRECTORY NAME OPTION...: the events of a run that have that name, one on a line
events() {
	"$BUILD/glimpse" events --format=csv --event "$2" "$1" "${@:3}" | tail -n +2
}
