# Rows: shares of functions by samples beside those of `perf record --call-graph dwarf`, for real programs, and beside exact
# calls. The rows need no quiet machine: samples are of the program's own processor time.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory samples-peers
export PATH="$build:$PATH" LC_ALL=C
need_tools 'shares of functions' 'python3' python3

${CC:-cc} -O1 -finstrument-functions -o "$work/sampled" "$src/tests/probes/samples/sampled.c" -lpthread || exit 2
for run in exact 1 2 3; do
	[ $run = exact ] && probe=functions || probe=samples
	glimpse record -q -o "$work/run.$run" --probes $probe,scheduler -- "$work/sampled" 300 >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
done
python3 "$src/bench/samples-peers.py" --exact "$work"/run.exact "$work"/run.[123] || exit 2
rm -rf "$work"/run.*

need_tools 'samples beside perf' 'linux-perf binutils' perf readelf
# As glimpse does, perf samples the kernel's work where it may.
event=cpu-clock
perf record -q -e "$event" -o "$work/perf.1" -- true >"$work/output" 2>&1 || event=cpu-clock:u

# peers NAME PROGRAM...: recorded by both in turn, as what else the machine does changes
peers() {
	name=$1
	shift
	command -v "$1" >/dev/null || { echo "bench: no row for samples of $name: it is not installed" >&2; return; }
	rm -rf "$work"/run.*
	for i in 1 2 3 4 5 6; do
		perf record -q -F 997 -e $event --call-graph dwarf,8192 -o "$work/perf.$i" -- "$@" >"$work/output" 2>&1 &&
			glimpse record -q -o "$work/run.$i" --probes samples,scheduler,threads -- "$@" >"$work/output" 2>&1 ||
			{ cat "$work/output" >&2; return; }
	done
	# drawn from equal shares, one ratio of a hundred is above 1.3: of pigz, which has few functions
	python3 "$src/bench/samples-peers.py" "$name" 1.3 "$work"/perf.[1-6] "$work"/run.[1-6]
}

cd "$work" && sh "$src/examples/pgz/make-input" input 60 || exit 2
cat >script.sql <<END
create table t(a, b);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000) insert into t select i, i * 7919 % 400009 from n;
create index i on t(b);
select sum(a), count(distinct b) from t;
select count(*) from t x join t y on x.b = y.a where x.a % 3 = 0 and y.b like '%7%';
END
cat >script.py <<'END'
import json, re
words = {}
for i in range(300000):
    words["w%d" % (i * 7919 % 4001)] = words.get("w%d" % (i % 4001), 0) + len(re.sub("[13579]", "x", str(i)))
    if i % 3000 == 0:
        json.loads(json.dumps(words))
print(sum(sorted(words.values(), key=lambda n: -n)[:10]))
END
awk 'BEGIN { for (f = 0; f < 400; f++)
	printf "long f%d(long *a, long n)\n{\n\tlong s = %d;\n\tfor (long i = 1; i < n; i++) {\n\t\tif (a[i] & %d)\n\t\t\ts += a[i] * %d;\n" \
		"\t\telse switch (a[i] %% %d) {\n\t\tcase 1: s ^= i; break;\n\t\tcase 2: a[i - 1] = s; break;\n\t\tcase 3: s -= a[i - 1] / 3;\n\t\t}\n" \
		"\t}\n\treturn s;\n}\n", f, f, f % 31 + 1, f * 7 + 3, f % 9 + 5 }' >unit.c
peers pigz pigz -k -f input
peers 'xz -T2' xz -T2 -1 -k -f input
peers sqlite3 sqlite3 -batch -init script.sql :memory: .quit
cc1=$(${CC:-cc} -print-prog-name=cc1)
peers cc1 "$cc1" -quiet -O2 -o unit.s unit.c
# what a version manager calls python3 is a script
peers python3 "$(python3 -c 'import sys; print(sys.executable)')" script.py
