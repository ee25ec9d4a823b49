# Compiles and records the programs that compute in five functions of known shares. Sourced, after record.sh.
# shellcheck disable=SC2034 # who sources it uses them

languages='C C++ Fortran Rust Go Java'

# compiled LANGUAGE: compiles the program in the working directory; sets `command`. If it cannot, it fails and sets `missing`.
compiled() {
	local here=$SRC/tests/probes/samples/languages apart=$SRC/tests/docs/apart
	missing=
	case $1 in
	C)
		command=(./shares_c)
		"$apart" $CC -std=gnu11 -O2 -g -fPIC -shared -o libshares.so "$here/shares_library.c" &&
			"$apart" $CC -std=gnu11 -O2 -g -D_GNU_SOURCE -o shares_c "$here/shares.c" -L. -lshares -Wl,-rpath,"$PWD" -lpthread
		;;
	C++)
		command=(./shares_cc)
		have "${CXX:-g++}" && "$apart" "${CXX:-g++}" -std=c++17 -O2 -g -o shares_cc "$here/shares.cc" -lpthread
		;;
	Fortran)
		command=(./shares_f90)
		# gfortran has no way to say it of a procedure
		have gfortran && gfortran -O2 -g -fno-inline -fopenmp -J . -o shares_f90 "$here/shares.f90"
		;;
	Rust)
		command=(./shares_rs)
		have rustc && rustc -O -g -o shares_rs "$here/shares.rs"
		;;
	Go)
		command=(./shares_go)
		have go && GOCACHE=${GOCACHE:-$PWD/.go} go build -o shares_go "$here/shares.go"
		;;
	Java)
		command=(java -cp . Shares)
		have javac && { [ -e "$BUILD/.libs/libglimpse-java.so" ] || have 'the probe java'; } &&
			javac -J-XX:TieredStopAtLevel=1 -d . "$here/Shares.java"
		;;
	esac
}

have() {
	command -v "${1%% *}" >/dev/null && return
	missing="$1 is missing"
	return 1
}

# recorded LANGUAGE NAME ARGUMENT...: records the program to NAME, and its own figures to NAME.own
recorded() {
	local name=$2 probes=threads,scheduler,samples
	# the JVM's compiler has deep stacks
	[ "$1" != Java ] || probes=$probes,java
	shift 2
	rm -rf "$name"
	glimpse record -q -o "$name" --stack 32768 --probes "$probes" -- "${command[@]}" "$@" >"$name.own" 2>"$name.said"
}
