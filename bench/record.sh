# Four rows: the wall time of real programs under `glimpse record`, with the default probes, as a part of what they take
# without. Runs are paired, and so are disturbed alike: of each pair the ratio, of the ratios the median.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
[ -e "$build/.libs/libglimpse-threads.so" ] || { echo "bench: no rows for record: no libglimpse-threads.so" >&2; exit 0; }
work_directory record
pairs=7

now() {
	date +%s%N
}

# wall PROGRAM...: nanoseconds
wall() {
	began=$(now)
	"$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
	echo $(($(now) - began))
}

# row NAME PROGRAM...
row() {
	name=$1
	shift
	command -v "$1" >/dev/null || { echo "bench: no row for $name: apt install $1" >&2; return; }
	wall "$@" >/dev/null
	for pair in $(seq $pairs); do
		rm -rf "$work/run"
		if [ $((pair % 2)) = 0 ]; then
			bare=$(wall "$@") recorded=$(wall "$build/glimpse" record -q -o "$work/run" -- "$@")
		else
			recorded=$(wall "$build/glimpse" record -q -o "$work/run" -- "$@") bare=$(wall "$@")
		fi
		echo "$recorded $bare"
	done | awk -v name="$name" '
	{ ratio[NR] = $1 / $2; bare[NR] = $2 }
	function median(list,	i, k, t) {
		for (i = 2; i <= NR; i++)
			for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
				t = list[k]; list[k] = list[k - 1]; list[k - 1] = t
			}
		return list[int((NR + 1) / 2)]
	}
	END {
		middle = median(ratio)
		printf "%s, recorded / not\t%.3f\t<= 1.02\t%.2f s; %d pairs, %.3f to %.3f\n", name, middle,
			median(bare) / 1e9, NR, ratio[1], ratio[NR]
	}'
}

sh "$src/examples/pgz/make-input" "$work/input" 200 || exit 2
head -c 24000000 "$work/input" >"$work/small"
row "pigz on 200 MB" pigz -k -f "$work/input"
row "xz -T4 on 24 MB" xz -k -f -T4 --block-size=1MiB "$work/small"
if ${CC:-cc} -O2 -fopenmp -o "$work/solver" "$src/bench/solver.c" 2>/dev/null; then
	row "an OpenMP solver" "$work/solver"
else
	echo "bench: no row for an OpenMP solver: the compiler has no -fopenmp" >&2
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
if ${CXX:-c++} -O2 -c -o "$work/parser.o" "$work/parser.cc" 2>/dev/null; then
	row "a C++ compilation" ${CXX:-c++} -O2 -c -o "$work/parser.o" "$work/parser.cc"
else
	echo "bench: no row for a C++ compilation: apt install g++" >&2
fi
