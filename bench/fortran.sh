#!/bin/sh
# What an event costs in Fortran: prints rows for bench/run, which says what the environment has.
set -eu
FC=${FC:-gfortran}
command -v "${FC%% *}" >/dev/null || {
	echo "bench/fortran.sh: there is no Fortran compiler; left out" >&2
	exit 0
}
cd "$BENCH_DIR"
"$build/glimpsec" -l fortran -Wno-unused-attribute "$src/bench/fortran/pair.spec"

# turns NAME OPTION...: built with these options, and run
turns() {
	name=$1
	shift
	$FC -O2 "$@" -I"$src/runtime" -I. "$src/runtime/glimpse.f90" pair_glimpse.f90 "$src/bench/fortran/turns.f90" \
		"$src/bench/fortran/external.f90" "$src/bench/fortran/loop.c" pair_glimpse.c pair_glimpse_f.c \
		"$build/.libs/libglimpse.a" -lpthread -o turns
	GLIMPSE_DIR=$BENCH_DIR/fortran.run ./turns "$name"
	rm -rf "$BENCH_DIR/fortran.run"
}

turns ''
turns ', -flto' -flto
