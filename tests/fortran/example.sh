# Sourced by the tests of the examples in Fortran.

. "$SRC/tests/fortran/fortran.sh"
export PATH=$BUILD:$PATH

# example NAME SOURCE...: builds examples/NAME with OpenMP as NAME, and without the events as NAME-plain
example() {
	local name=$1 folder=$SRC/examples/$1 sources
	shift
	sources=$(printf "$folder/%s.f90 " "$@")
	stubs "$folder/$name.spec" && link "$name" "$name" -Wall -fopenmp $sources &&
		$CC $TEST_CFLAGS -DGLIMPSE_DISABLE -I"$SRC/runtime" -I. -c "${name}_glimpse_f.c" -o "${name}_f.o" &&
		link "$name" "$name-plain" -fopenmp $sources
}
