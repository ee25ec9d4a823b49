# Rows of recording with the default probes: what real programs take under `glimpse record`, as a part of what they take
# without, themselves (from exec to exit) and with the whole command; and what delays the start of a program, and the
# prompt after its end. Runs are paired, and so are disturbed alike: of each pair the ratio, of the ratios the median.
#
# RECORD_MACHINE: idle, and full, on which a program spins beside it for each processor ("idle full" if unset).
# RECORD_PROGRAMS: which ones of pigz, xz, openmp, c++, sqlite, python, java, make and delays (all if unset). RECORD_PAIRS: 7.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse bench/span
[ -e "$build/.libs/libglimpse-threads.so" ] || { echo "bench: no rows for record: no libglimpse-threads.so" >&2; exit 0; }
work_directory record
pairs=${RECORD_PAIRS:-7}
span=$build/bench/span
spinning= # their ids
# names of the kernel's functions are kept here
export XDG_CACHE_HOME="$work/cache"

# A row of the median of numbers, one a line. row NAME TARGET DETAIL
row() {
	sort -n | awk -v name="$1" -v target="$2" -v detail="$3" '
		{ all[NR] = $1 }
		END { if (NR) printf "%s\t%.3f\t%s\t%s%d runs, %.3f to %.3f\n", name, all[int((NR + 1) / 2)], target, detail, NR, all[1], all[NR] }'
}

# ran COMMAND...: says what it said if it fails
ran() {
	"$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
}

# Both take the two files of spans, of the whole command and of the program in it.
bare() {
	ran "$span" "$work/bare.whole" "$span" "$work/bare.own" "$@"
}
recorded() {
	rm -rf "$work/run"
	ran "$span" "$work/recorded.whole" "$build/glimpse" record -q -o "$work/run" -- "$span" "$work/recorded.own" "$@"
}

# paired PROGRAM...: each pair in the other order
paired() {
	rm -f "$work"/bare.* "$work"/recorded.*
	for pair in $(seq "$pairs"); do
		if [ $((pair % 2)) = 0 ]; then
			bare "$@"
			recorded "$@"
		else
			recorded "$@"
			bare "$@"
		fi
	done
}

# missing NAME WHY
missing() {
	echo "bench: no row for $1: $2" >&2
}

# ratios WHICH: recorded / not, a line for each pair
ratios() {
	paste -d ' ' "$work/recorded.$1" "$work/bare.$1" | awk '{ print ($2 - $1) / ($4 - $3) }'
}

# program KEY NAME PROGRAM...: the rows of a program, which is left out if it is missing
program() {
	key=$1 name=$2
	shift 2
	is_wanted "$key" || return
	command -v "$1" >/dev/null || { missing "$name" "apt install $1"; return; }
	bare "$@"
	for machine in ${RECORD_MACHINE:-idle full}; do
		[ "$machine" = idle ] || spin
		paired "$@"
		spin_end
		detail=$(awk -v on="$machine" '{ s += $2 - $1 } END { printf "%s, %.2f s; ", on, s / NR / 1e9 }' "$work/bare.own")
		[ "$machine" = idle ] && on= || on=", full machine"
		ratios own | row "$name itself, recorded / not$on" '<= 1.02' "$detail"
		ratios whole | row "$name, whole command, recorded / not$on" '<= 1.02' "$detail"
	done
}

is_wanted() {
	case " ${RECORD_PROGRAMS:-$1} " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# A program that spins on each processor.
spin() {
	for _ in $(seq "$(nproc)"); do
		sh -c 'while :; do :; done' &
		spinning="$spinning $!"
	done
}
spin_end() {
	# shellcheck disable=SC2086 # they are several
	[ -z "$spinning" ] || kill $spinning
	spinning=
}
trap 'spin_end; rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

# ---- delays ----

# delays NAME TARGET COLD PROGRAM...: milliseconds more than without glimpse until the program's main(), and from its end
# to the prompt; COLD: names of the kernel's functions are not kept yet
delays() {
	name=$1 target=$2 cold=$3
	shift 3
	rm -f "$work"/bare.* "$work"/recorded.*
	recorded "$@"
	rm -f "$work"/recorded.*
	for pair in $(seq "$pairs"); do
		[ -z "$cold" ] || rm -rf "$work/cache/glimpse"
		recorded "$@"
		bare "$@"
	done
	paste -d ' ' "$work/recorded.whole" "$work/recorded.own" "$work/bare.whole" "$work/bare.own" >"$work/all"
	[ "$cold" ] || awk '{ print ($3 - $1 - ($7 - $5)) / 1e6 }' "$work/all" |
		row "what delays the program: $name, ms" '<= 5' ''
	awk '{ print ($2 - $4 - ($6 - $8)) / 1e6 }' "$work/all" | row "what delays the prompt: $name, ms" "$target" ''
}

if is_wanted delays; then
	mkdir "$work/cache"
	delays 'true' '<= 100' '' true
	delays 'true, first in a boot' '<= 100' cold true
	delays '0.3 s' '<= 115' '' sh -c 'i=0; while [ $i -lt 250000 ]; do i=$((i + 1)); done'
	delays '0.3 s, first in a boot' '<= 115' cold sh -c 'i=0; while [ $i -lt 250000 ]; do i=$((i + 1)); done'
fi

# ---- programs ----

if is_wanted pigz || is_wanted xz; then
	sh "$src/examples/pgz/make-input" "$work/input" 200 || exit 2
	head -c 6000000 "$work/input" >"$work/small"
fi
program pigz 'pigz on 200 MB' pigz -k -f "$work/input"
program xz 'xz -T4 on 6 MB' xz -k -f -T4 --block-size=512KiB "$work/small"
if ! is_wanted openmp; then
	:
elif ${CC:-cc} -O2 -fopenmp -o "$work/solver" "$src/bench/solver.c" 2>/dev/null; then
	program openmp 'an OpenMP solver' "$work/solver"
else
	missing 'an OpenMP solver' 'the compiler has no -fopenmp'
fi
cat >"$work/parser.cc" <<'C'
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

int main()
{
	std::map<std::string, std::vector<std::string>> found;
	std::regex word("([a-z]+)=([0-9]+)");
	std::smatch match;

	for (std::string line; std::getline(std::cin, line);)
		if (std::regex_search(line, match, word))
			found[match[1]].push_back(match[2]);
	for (auto &each : found)
		std::sort(each.second.begin(), each.second.end());
	return found.empty();
}
C
# a cache of compilers would make nothing of it
export CCACHE_DISABLE=1
if ! is_wanted c++; then
	:
elif ${CXX:-c++} -c -o "$work/parser.o" "$work/parser.cc" 2>/dev/null; then
	# shellcheck disable=SC2086 # it may have options
	program c++ 'a C++ compilation' ${CXX:-c++} -c -o "$work/parser.o" "$work/parser.cc"
else
	missing 'a C++ compilation' 'apt install g++'
fi
program sqlite sqlite3 sqlite3 :memory: 'create table t (a integer, b text);
	with recursive n(i) as (select 1 union all select i + 1 from n where i < 600000)
	insert into t select i * 7919 % 600011, hex(i) from n;
	create index by_b on t(b);
	select count(*), sum(t.a) from t join t u on u.b = t.b where t.a > 1000;
	select substr(b, 1, 3), count(*) from t group by 1 order by 2 desc limit 5;'
# not a script that looks for it
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
program python python3 "${python:-python3}" -c '
words = {}
for i in range(2000000):
    key = "w%d" % (i * 7919 % 10007)
    words[key] = words.get(key, 0) + i
print(sorted(words.items())[:3])'
cat >"$work/Sums.java" <<'J'
import java.util.*;
public class Sums {
	public static void main(String[] arguments) {
		Map<Integer, Long> sums = new HashMap<>();
		for (int i = 0; i < 10000000; i++)
			sums.merge(i * 7919 % 50021, (long) i, Long::sum);
		System.out.println(sums.size());
	}
}
J
if ! is_wanted java; then
	:
elif command -v javac >/dev/null && javac -d "$work" "$work/Sums.java"; then
	program java 'a Java program' java -cp "$work" Sums
else
	missing 'a Java program' 'apt install default-jdk'
fi
mkdir "$work/project"
for i in $(seq 12); do
	awk -v n="$i" 'BEGIN {
		print "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
		for (f = 0; f < 20; f++)
			printf "double f%d_%d(const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += sqrt(a[i]) * %d + sin(s); return s; }\n", n, f, f
	}' >"$work/project/part$i.c"
	echo "all: part$i.o"
done >"$work/project/Makefile"
printf 'CFLAGS = -O2\nCC = %s\n' "${CC:-cc}" >>"$work/project/Makefile"
program make 'make -j2 of 12 files' make -B -j2 -C "$work/project" all
