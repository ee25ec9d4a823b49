# What tests of recordings share. Sourced.
. "$SRC/tests/docs/tap.sh"

# Libraries with sanitizers cannot be preloaded into programs without. Where there is a build without, it
# records for the tests of what reads the recordings, and they read with the sanitizers.
if [[ $TEST_CFLAGS == *-fsanitize=* ]]; then
	if [[ $0 != */tests/analysis/* || ! -x $RECORDING_BUILD/glimpse ]]; then
		echo '1..0 # SKIP libraries with sanitizers cannot be preloaded into programs without'
		exit 0
	fi
	READING_BUILD=$BUILD BUILD=$RECORDING_BUILD
fi
need glimpse
working_directory
# names of the kernel's functions are not kept in the home of who runs the tests
export PATH="$BUILD:$PATH" LC_ALL=C XDG_CACHE_HOME=$PWD/.cache
if [ "$READING_BUILD" ]; then
	mkdir .bin
	cat >.bin/glimpse <<-END
		#!/bin/sh
		[ "\$1" != record ] || exec '$BUILD/glimpse' "\$@"
		exec '$READING_BUILD/glimpse' "\$@"
	END
	chmod +x .bin/glimpse
	PATH=$PWD/.bin:$PATH
fi
unset GLIMPSE_DIR GLIMPSE_KEEP GLIMPSE_OFF GLIMPSE_CHILDREN LD_PRELOAD

# program NAME [FLAG...]: compiles NAME.c, of the folder of the test or else of tests/probes, to ./NAME. NAME may begin with
# another folder, as in ../threads/corners.
program() {
	local name=${1##*/} source=$SRC/tests/${0##*tests/}
	source=${source%/*}/$1.c
	[ -e "$source" ] || source=$SRC/tests/probes/$1.c
	shift
	"$SRC/tests/docs/apart" $CC -std=gnu11 -O1 -g -D_GNU_SOURCE -o "$name" "$source" "$@" || exit 1
}

# record COMMAND...: records quietly, to a new directory
record() {
	glimpse record -q -o run "$@"
}

# without_wakeups COMMAND...: the command; the kernel's wake-ups are hidden from it where that is possible
without_wakeups() {
	if unshare -m true 2>/dev/null; then
		set -- unshare -m bash -c 'umount -l /sys/kernel/tracing /sys/kernel/debug 2>/dev/null; exec "$@"' hidden "$@"
	fi
	"$@"
}

# with_wakeups: makes the kernel's wake-ups known from now on where that is possible; tests/limited takes the mount away
with_wakeups() {
	[ -e /sys/kernel/tracing/events ] || [ "$(readlink /proc/self/ns/mnt)" = "$(readlink /proc/1/ns/mnt)" ] ||
		mount -t tracefs none /sys/kernel/tracing 2>/dev/null
}

# status N COMMAND...
status() {
	local wanted=$1 is=0
	shift
	"$@" || is=$?
	[ "$is" = "$wanted" ] || { echo "exit status $is, not $wanted"; return 1; }
}

# instances DIRECTORY INTERVAL: how many there are
instances() {
	glimpse stats --format=csv "$1" | awk -F, -v name="$2" '$1 == name { print $2 }'
}

# Hundredths of a second that the host of a virtual machine took away from all processors so far.
stolen_ticks() {
	awk '$1 == "cpu" { print $9 }' /proc/stat
}

# kernel_refuses RUN: the kernel refused the recorder its records of context switches
kernel_refuses() {
	grep -qE '^(switches|states) ' "$1/refused" 2>/dev/null
}

# timers_sample RUN: the kernel refused the recorder its samples, and timers in the program took them
timers_sample() {
	grep -q '^timers ' "$1/refused" 2>/dev/null
}

# unless WHY NAME COMMAND...: a check as ok does it, which is skipped if there is a reason
unless() {
	local why=$1
	shift
	if [ "$why" ]; then skip "$1" "$why"; else ok "$@"; fi
}
