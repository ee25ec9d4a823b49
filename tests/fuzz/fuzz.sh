#!/bin/sh
# fuzz.sh TARGET SECONDS: builds tests/fuzz/TARGET_fuzz.c with sanitizers from the sources and runs it for so long.
# Seeds are text: the .spec files of the tests and examples, series.txt, requests.txt, and the recipes of tests/trace; those in recipes/
# are of packed files with lies in the headers of blocks, "# block NUMBER OFFSET VALUE", as the fuzzer has found them. SEED chooses the random numbers.
# Exit status 0: nothing found; 1: a failure, with the input printed; 77: a tool is missing.
target=${1:?usage: fuzz.sh TARGET SECONDS}
seconds=${2:?usage: fuzz.sh TARGET SECONDS}
SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
seed=${SEED:-$(date +%s)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
objects=${BUILD:-$SRC/build}/tests/fuzz/objects
# The objects of inlined calls use libdw, and are made once for all targets.
basic='-ldw -lelf -liberty -lm -lz -lpthread'

flags='-g -O1 -std=gnu11 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
	-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
printf '%s\n' 'int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long);' \
	'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' >"$work/probe.c"
# shellcheck disable=SC2086
clang $flags "$work/probe.c" -o "$work/probe" 2>"$work/log" || {
	echo "fuzz.sh: needs clang with libFuzzer: apt install clang libclang-rt-14-dev" >&2
	exit 77
}

sources_spec() {
	(cd "$SRC" && find base grammar spec -name '*.c' ! -name parser.c ! -name scanner.c)
	echo grammar/parser.c grammar/scanner.c
}

seeds_spec() {
	n=0
	find "$SRC/tests" "$SRC/examples" -name '*.spec' >"$work/specs"
	while read -r f; do
		n=$((n + 1))
		{ printf '%%'; cat "$f"; } >"$work/seeds/spec.$n"
	done <"$work/specs"
	while read -r line; do
		n=$((n + 1))
		printf '$%s' "$line" >"$work/seeds/series.$n"
	done <"$SRC/tests/fuzz/series.txt"
}

# All of the library and the command but its main(), what starts programs or connects, and other tools' formats.
sources_log() {
	sources_spec
	echo tests/fuzz/stream.c tests/fuzz/files.c
	(cd "$SRC" && find trace match analysis cli -name '*.c' ! -name glimpse.c ! -name export.c ! -name 'sql*.c' ! -path 'cli/spark*' ! -path 'cli/import*' ! -path cli/record.c ! -path cli/holds.c ! -path 'cli/record/*' ! -path 'cli/live/*' ! -path 'cli/symbols*';
		ls cli/live/live.c cli/live/switches.c cli/live/why_as_live.c)
}

# One file of a directory as log_fuzz.c takes it: which, its length, its bytes.
seed_file() {
	[ -s "$2" ] && [ "$(wc -c <"$2")" -lt 65536 ] || return 0
	n=$(wc -c <"$2")
	printf "\\$(printf %03o "$1")\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256)))"
	cat "$2"
}

# A tail is long because its records begin at 4096, a process file because of its switches: of these a few are kept.
seed_directory() {
	[ -f "$1/tail.0" ] && { head -c 128 "$1/tail.0"; tail -c +4097 "$1/tail.0" | head -c 400; } >"$1/tail"
	[ -f "$1/process" ] && { head -c 512 "$1/process"; tail -c +4097 "$1/process" | head -c 128; } >"$1/header"
	set -- "$1" "$2" "$1"/*/
	printf "$2"
	seed_file 0 "$1/log.0"
	seed_file 1 "$1/log.0.1"
	seed_file 2 "$1/log.1"
	seed_file 3 "$1/tail"
	seed_file 5 "$1/header"
	seed_file 6 "$1/log.2"
	seed_file 8 "$1/logs"
	seed_file 9 "$1/switches"
	seed_file 10 "$1/log.0.8"
	printf '0 400000 400000 500000 - /bin/a\n5 ffff0000 ffff0000 ffffffff - [vdso]\n' >"$1/modules"
	printf '5 1000 queue\n' >"$1/objects"
	seed_file 14 "$1/modules"
	seed_file 15 "$1/objects"
	[ -f "$3log.0" ] || return 0
	seed_file 11 "$3log.0"
	seed_file 13 "$1/header"
}

# The commands, and nibble up to its numbers.
sources_tools() {
	sources_log
	(cd "$SRC" && find viewers/nibble -name '*.c' ! -name nibble.c ! -name options.c && ls viewers/gnuplot.c viewers/palette.c viewers/select.c viewers/suffix.c)
}

# Each directory for one of the tools, in turn.
seeds_tools() {
	mklog=${BUILD:-$SRC/build}/tests/trace/mklog
	[ -x "$mklog" ] || { echo "fuzz.sh: no $mklog, so no seeds" >&2; return 0; }
	n=0
	for f in "$SRC"/tests/trace/recipes/*.recipe "$SRC"/tests/match/recipes/*.recipe \
		"$SRC"/tests/fuzz/recipes/*.recipe; do
		name=$(basename "$f" .recipe)
		"$mklog" "$f" "$work/logs" 2>/dev/null || { rm -rf "$work/logs"; continue; }
		for i in 1 2 3; do
			n=$(((n + 1) % 84))
			seed_directory "$work/logs" "\\$(printf %03o $n)" >"$work/seeds/$name.$i"
		done
		rm -rf "$work/logs"
	done
}

# Other tools' traces, with the libraries that the build has.
sources_import() {
	sources_spec
	(cd "$SRC" && find trace match analysis formats -name '*.c' ! -path 'formats/export*' ! -path 'formats/firefox_*' ! -path 'formats/track*' \
		! -name avro_file.c ! -name chosen_events.c ! -name otf2_definitions.c ! -name otlp_spans.c ! -name thread_marks.c)
}

# For each format, by its number in formats/import.c, what its tests import.
seeds_import() {
	n=0
	for f in "$SRC"/tests/fuzz/imports/*; do
		for format in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
			n=$((n + 1))
			{ printf "\\$(printf %03o $format)"; cat "$f"; } >"$work/seeds/import.$n"
		done
	done
}

sources_pack() {
	sources_log
}

# They are made after the objects, by a program of the same ones.
seeds_pack() { :; }

# A process file is long because of its switches, and a seed is to be short.
seeds_packed() {
	mklog=${BUILD:-$SRC/build}/tests/trace/mklog
	[ -x "$mklog" ] || { echo "fuzz.sh: no $mklog, so no seeds" >&2; return 0; }
	# shellcheck disable=SC2046,SC2086
	clang $(echo $flags | sed "s/=fuzzer,/=fuzzer-no-link,/") -I"$SRC" -o "$work/pack_seed" "$SRC/tests/fuzz/pack_seed.c" \
		$(objects_in "$objects/" $sources) $basic || return 1
	for f in "$SRC"/tests/trace/recipes/good-*.recipe "$SRC"/tests/fuzz/recipes/*.recipe; do
		name=$(basename "$f" .recipe)
		"$mklog" "$f" "$work/logs" || return 1
		rm -rf "$work/logs/process" "$work"/logs/*/process "$work"/logs/tail.*
		# shellcheck disable=SC2046
		"$work/pack_seed" "$work/logs" $(sed -n 's/^# block //p' "$f") >"$work/seeds/$name" 2>"$work/log" ||
			rm -f "$work/seeds/$name"
		rm -rf "$work/logs"
	done
}

seeds_log() {
	mklog=${BUILD:-$SRC/build}/tests/trace/mklog
	[ -x "$mklog" ] || { echo "fuzz.sh: no $mklog, so no seeds" >&2; return 0; }
	for f in "$SRC"/tests/trace/recipes/*.recipe; do
		name=$(basename "$f" .recipe)
		"$mklog" "$f" "$work/logs" || return 1
		seed_directory "$work/logs" '\0' >"$work/seeds/$name.0"
		seed_directory "$work/logs" '\1' >"$work/seeds/$name.1"
		rm -rf "$work/logs"
	done
}

# The same, and gorge's server but its main().
sources_serve() {
	sources_spec
	(cd "$SRC" && find trace match analysis viewers -name '*.c' ! -path 'viewers/gorge/wasm/*' ! -name gorge.c ! -name nibble.c \
		! -path viewers/gorge/options.c ! -path viewers/nibble/options.c)
}

# A line of requests.txt; definitions and what is sent as it is have several.
seeds_serve() {
	n=0
	while read -r line; do
		n=$((n + 1))
		printf %s "$line" >"$work/seeds/line.$n"
	done <"$SRC/tests/fuzz/requests.txt"
	for f in "$SRC"/tests/reject/*.spec "$SRC"/examples/messages/*.spec; do
		n=$((n + 1))
		{ echo pdefinitions; head -c 1500 "$f"; } >"$work/seeds/definitions.$n"
	done
	printf 'pdefinitions\nglimpse messages event Preparemsg(); event Sendmsg(src, seq); event Recvmsg(src, seq);\n%s' \
		'interval Transit [ s:Sendmsg -> r:Recvmsg ] Match; end' >"$work/seeds/definitions"
	printf 'pstop?page=a\n' >"$work/seeds/stop"
	printf 'rGET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' >"$work/seeds/get"
	printf 'rPOST /0123456789abcdef0123456789abcdef/definitions HTTP/1.1\r\nHost: localhost:1\r\n%s\r\n%s\r\n\r\n%s' \
		'Cookie: gorge-1=0; gorge-2' 'Transfer-Encoding: chunked' 'glimpse' >"$work/seeds/post"
	printf 'rGET /a?b=%%zz&c HTTP/1.0\r\nOrigin: null\r\nSec-Fetch-Site: none\r\nContent-Length: 99999999999\r\n\r\n' \
		>"$work/seeds/old"
	# the path to a thread without events
	printf 'gpath?width=800&pick\nevent B(src, seq);\ninterval Transit [ a:A -> bSec-Fetch-Site: cross-site=800&pick\n%s' \
		"$(printf 'event B(src, seq);\ninterval Transit [ a:A -> b:B ] Matc(Transit) == 1;\nassert count=Tr%%00')" >"$work/seeds/path"
	printf '\0b\320\002\271\204"t=1000&most=1100000' >>"$work/seeds/path"
	"${BUILD:-$SRC/build}/tests/trace/mklog" "$SRC/tests/viewers/gorge/messages.recipe" "$work/served" || return 1
	export FUZZ_LOGS="$work/served"
}

# What others write about the addresses of a program.
sources_symbols() {
	(cd "$SRC" && find base grammar -name '*.c' ! -name parser.c ! -name scanner.c)
	echo grammar/parser.c grammar/scanner.c
	for f in build_id debug_link demangle elf_look elf_read inlined inlined_units line_tokens made_code modules object_names unwind_table; do
		echo trace/symbols/$f.c
	done
	echo recorder/samples/code_exit.c recorder/samples/jitdump.c recorder/samples/perf_map.c
}

seeds_symbols() {
	printf 'm0 0000000000401000 0000000000401000 0000000000402000 0123456789abcdef /bin/true\n5 7f00 8000 9000 - /lib/a b\\040c.so\n7 7f00 - - - -\n8 7f00 8000 9000 - [vdso]\n' \
		>"$work/seeds/modules"
	printf 'o5 7f00 queue\n6 7f00 the \\011 lock\n7 7f00 \n' >"$work/seeds/objects"
	printf 'c0 1000 2000 function a\n5 1000 1100 b\\134 c\n7 10 20 d\n' >"$work/seeds/made"
	printf 'p1000 100 function a\n1000 8 b\n7f0000001000 1 c\n' >"$work/seeds/map"
	# a header, a function at 0x1000, and its move to 0x2000
	printf 'jDTiJ\1\0\0\0\50\0\0\0\76\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0%b%b' \
		'\0\0\0\0\072\0\0\0\5\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0\020\0\0\0\0\0\0\0\020\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1\0\0\0\0\0\0\0a\0' \
		'\01\0\0\0\0100\0\0\0\7\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0\040\0\0\0\0\0\0\0\020\0\0\0\0\0\0\0\040\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1\0\0\0\0\0\0\0' >"$work/seeds/dump"
	printf 'x\133\135\101\134\110\203\304\010\303' >"$work/seeds/exit"
	printf 'x\133\135\101\134\110\203\304\311\110\203\304\047\303' >"$work/seeds/exit_back"
	for symbol in _ZN4work3runIdEEvT_ _ZNSt6vectorIiSaIiEE9push_backERKi _RNvC6_123foo3bar _ZN3foo3barE malloc@@GLIBC_2.2.5 \
		_Z1fSt4pairIS_IS_IiiES0_ES1_E; do
		printf 'd%s' "$symbol" >"$work/seeds/$symbol"
	done
	head -c 1500 "$(command -v ls)" >"$work/seeds/elf"
	# all of a file, with functions and a link to its debug information, is short enough only without a library
	printf '%s\n' 'int number;' 'int add(int n) { return number += n; }' 'void _start(void) { for (;;) add(add(1)); }' >"$work/small.c"
	: >"$work/small.debug"
	clang -O1 -fno-inline -fasynchronous-unwind-tables -nostdlib -static -fuse-ld=lld -Wl,--build-id,-s,--eh-frame-hdr,-z,noseparate-code \
		-o "$work/small" "$work/small.c" 2>/dev/null && (cd "$work" && objcopy --add-gnu-debuglink=small.debug small) &&
		cp "$work/small" "$work/seeds/small"
	printf '%s\n' 'static volatile int number;' '#define INLINED static inline __attribute__((always_inline))' \
		'INLINED int add(int n) { return number += n; }' 'INLINED int twice(int n) { return add(add(n)); }' \
		'void _start(void) { for (;;) twice(1); }' >"$work/inlined.c"
	clang -O1 -g -gdwarf-4 -nostdlib -static -fuse-ld=lld -Wl,-z,noseparate-code -o "$work/seeds/inlined" "$work/inlined.c" 2>/dev/null || :
	clang -nostdlib -static -fuse-ld=lld -Wl,-z,noseparate-code -o "$work/seeds/hostile" "$SRC/tests/fuzz/hostile.S" 2>/dev/null || :
}

# objects_in DIRECTORY SOURCE...
objects_in() {
	directory=$1
	shift
	printf "$directory%s\n" "$@" | sed 's/c$/o/'
}

libraries=$basic
if [ "$target" = serve ]; then
	pkg-config --exists cairo cairo-pdf cairo-png libmicrohttpd || {
		echo "fuzz.sh: no cairo or libmicrohttpd, which gorge is built with" >&2
		exit 77
	}
	libraries="$libraries $(pkg-config --libs cairo cairo-pdf cairo-png libmicrohttpd)"
	flags="$flags $(pkg-config --cflags cairo cairo-pdf cairo-png libmicrohttpd)"
	# its threads go on while an input is over, and libraries of fonts keep what they have read
	options=-detect_leaks=0
	export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
fi
if [ "$target" = import ]; then
	built=${BUILD:-$SRC/build}
	libraries="$libraries $(sed -n 's/^FORMAT_LIBS = //p' "$built/Makefile") $(sed -n 's/^PROTOBUF_C_LIBS = //p' "$built/Makefile")"
	flags="$flags -I$built $(sed -n 's/^FORMAT_CFLAGS = //p' "$built/Makefile")"
fi
mkdir "$work/seeds" "$work/found"
mkdir -p "$objects" && : >>"$objects/lock" || exit 1
sources="tests/fuzz/${target}_fuzz.c $("sources_$target")"
"seeds_$target" || exit 1
# shellcheck disable=SC2046,SC2086
MAKEFLAGS='' flock "$objects/lock" make -s -j"$(nproc)" -C "$objects" -f "$SRC/tests/fuzz/objects.mk" SRC="$SRC" FLAGS="$(echo $flags)" $(objects_in '' $sources) || exit 1
# shellcheck disable=SC2046,SC2086
clang $flags -o "$work/fuzz" $(objects_in "$objects/" $sources) $libraries || exit 1
[ "$target" != pack ] || seeds_packed || exit 1
cd "$work" || exit 1
echo "fuzz.sh: $target, SEED=$seed, $seconds s" >&2
./fuzz -seed="$seed" -max_total_time="$seconds" -max_len="${MAX_LEN:-4096}" -timeout=10 -rss_limit_mb=2048 \
	-dict="$SRC/tests/fuzz/$target.dict" -artifact_prefix="$work/found/" -print_final_stats=1 $options \
	"$work/seeds" >"$work/log" 2>&1 && {
	sed -n 's/^stat::number_of_executed_units: */fuzz.sh: executions: /p' "$work/log" >&2
	exit 0
}
tail -n 60 "$work/log" >&2
for f in "$work"/found/*; do
	[ -f "$f" ] || continue
	echo "fuzz.sh: the input, in base64:" >&2
	base64 "$f" >&2
	[ -z "$KEEP" ] || cp "$f" "$KEEP"
done
exit 1
