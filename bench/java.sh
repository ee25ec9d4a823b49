# Rows: our event in Java beside System.nanoTime() and beside JFR's, in one run of one virtual machine; of RUNS such the
# median, and from which to which they were.

RUNS=5

. "${src:?set by bench/run}/bench/script.sh"
if [ ! -f "$build/glimpse.jar" ] || ! command -v javac >/dev/null; then
	echo "bench: no rows for Java: it was configured without a JDK (apt install openjdk-17-jdk-headless)" >&2
	exit 0
fi

work_directory java

once() {
	# Pages that the machine has never used cost more than the event: have them in use, as bench/event does.
	dd if=/dev/zero of="$work/warm" bs=1M count=512 2>/dev/null
	rm "$work/warm"
	GLIMPSE_DIR=$work/run java -cp "$build/glimpse.jar:$work" Bench "$work/bench.jfr"
	rm -rf "$work/run" "$work/bench.jfr"
}

# The row of each name that has the median, with least and most of all.
median() {
	sort -t "$(printf '\t')" -k1,1 -k2,2n | awk -F '\t' -v OFS='\t' -v runs=$RUNS '
	{
		n++
		if (n == 1)
			least = $2
		if (n == (runs + 1) / 2)
			row = $0
		if (n == runs) {
			print row " (" least " to " $2 ")"
			n = 0
		}
	}'
}

"$build/glimpsec" -l java -o "$work" "$src/bench/java/pair.spec" &&
	javac --release 17 -cp "$build/glimpse.jar" -d "$work" "$work/GzEvent.java" "$src"/bench/java/*.java >&2 &&
	for _ in $(seq $RUNS); do once; done | median
