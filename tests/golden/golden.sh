# Sourced by the tests of this folder. GOLDEN_UPDATE=1 makes the output at hand the golden one.

. "$SRC/tests/docs/tap.sh"

golden=$SRC/tests/golden

# golden FILE NAME: the file equals expected/NAME. The version of glimpsec is not part of it.
golden() {
	sed 's/by glimpsec [0-9][0-9.a-z-]*/by glimpsec VERSION/' "$1" >"$work/stable"
	if [ -n "$GOLDEN_UPDATE" ]; then
		cp "$work/stable" "$golden/expected/$2"
	fi
	diff -u "$golden/expected/$2" "$work/stable"
}

# Compilers that are there, each once.
c_compilers() {
	printf '%s\n' "$CC" gcc clang | while read -r cc; do
		[ -z "$cc" ] || ! command -v "${cc%% *}" >/dev/null || echo "$cc"
	done | sort -u
}

cxx_compilers() {
	printf '%s\n' "$CXX" g++ clang++ | while read -r cxx; do
		[ -z "$cxx" ] || ! command -v "${cxx%% *}" >/dev/null || echo "$cxx"
	done | sort -u
}

strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# strictly SOURCE...: C99 and, where there is a compiler for it, C++17 without a warning, also disabled
strictly() {
	local flags status=0
	for flags in '' -DGLIMPSE_DISABLE; do
		$CC $strict $flags -std=c99 -I"$SRC/runtime" -I. -fsyntax-only "$@" || status=1
		! command -v "${CXX%% *}" >/dev/null ||
			$CXX $strict $flags -x c++ -std=c++17 -I"$SRC/runtime" -I. -fsyntax-only "$@" || status=1
	done
	return $status
}

# link OUTPUT SOURCE...: with the flags that the library was built with
link() {
	local output=$1
	shift
	"$SRC/tests/docs/apart" $CC $TEST_CFLAGS -I"$SRC/runtime" -I. -o "$output" "$@" "$BUILD/.libs/libglimpse.a" -lpthread
}
