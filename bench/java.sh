# Rows: our event in Java beside System.nanoTime() and beside JFR's, in one run of one virtual machine.

: "${BENCH_DIR:?set by bench/run}" "${build:?}" "${src:?}"
if [ ! -f "$build/glimpse.jar" ] || ! command -v javac >/dev/null; then
	echo "bench: no rows for Java: it was configured without a JDK (apt install openjdk-17-jdk-headless)" >&2
	exit 0
fi

work=$BENCH_DIR/java
mkdir "$work" || exit 2
trap 'rm -rf "$work"' EXIT
# Pages that the machine has never used cost more than the event: have them in use, as bench/event does.
dd if=/dev/zero of="$work/warm" bs=1M count=256 2>/dev/null
rm "$work/warm"
"$build/glimpsec" -l java -o "$work" "$src/bench/java/pair.spec" &&
	javac --release 17 -cp "$build/glimpse.jar" -d "$work" "$work/GzEvent.java" "$src"/bench/java/*.java >&2 &&
	GLIMPSE_DIR=$work/run java -cp "$build/glimpse.jar:$work" Bench "$work/bench.jfr"
