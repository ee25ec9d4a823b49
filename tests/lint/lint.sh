#!/usr/bin/env bash
# Usage: lint.sh [format] [columns] [scripts] [words] [tags] [exported] [page] [readmes] [analyzer]
# Checks the sources that are in git without running them; see README.md beside this. Without an argument: all parts.
# BUILD names a folder where the project was built (build), CC a gcc 12 (gcc), LINT_JOBS how many jobs run at a time.
# The exit status is 77 if what ran passed and something was skipped: a tool or the build is missing, or this is no checkout.
set -u
here=$(cd "$(dirname "$0")" && pwd)
SRC=${SRC:-$(cd "$here/../.." && pwd)}
cd "$SRC" || exit 99
BUILD=$(realpath -m "${BUILD:-build}")
export LC_ALL=C
. tests/docs/tap.sh
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
jobs=${LINT_JOBS:-$(nproc)}

skipped=
# lacks PART WHAT PACKAGE: skips a part
lacks() {
	skipped=1
	skip "$1" "$2 is missing; Debian has it in the package $3"
}

# each N COMMAND...: runs the command on all words of standard input, N at a time, and prints what it says
each() {
	local n=$1 said
	shift
	said=$(mktemp -d "$work/each.XXXXXX")
	xargs -r -P "$jobs" -n "$n" bash -c 'said=$1; shift; "$@" >>"$said/$$" 2>&1' _ "$said" "$@"
	cat "$said"/* 2>/dev/null
	rm -r "$said"
}

# paths LIST: the first words of a list's lines that are no comment
paths() {
	sed '/^#/d; s/[[:blank:]].*//' "$here/$1" | sort -u
}

# only_in FILE1 FILE2: lines of the first that are not in the second
only_in() {
	comm -23 "$1" "$2"
}

# said LIST TEXT: whether LIST is empty; each line that it has is told with TEXT, where % stands for the line
said() {
	local line
	while read -r line; do
		echo "${2//%/"$line"}"
	done <"$1"
	[ ! -s "$1" ]
}

# ---- format ----

# formatter: a clang-format 14; each version formats in another way
formatter() {
	local c
	for c in "${CLANG_FORMAT:-clang-format}" clang-format-14; do
		command -v "$c" >/dev/null && [[ $("$c" --version) == *' version 14.'* ]] && echo "$c" && return
	done
}

c_files() {
	git ls-files '*.c' '*.h' | grep -v -e '^tests/golden/expected/' -e '^tests/trace/zlib_stand_in' | sort
}

# wrong: prints those files, of the ones in standard input, that clang-format would change
wrong() {
	each 40 "$format" --style=file --dry-run | sed -n 's/:[0-9]*:[0-9]*: warning: code should be.*//p' | sort -u
}

# unaligned: the same of those that are wrong even if nobody sees the comments at the ends of lines. They stand at tab stops
# where their author put them, which clang-format can neither keep nor make.
unaligned() {
	local folder=$work/tree f
	mkdir -p "$folder"
	tar -c --null -T <(tr '\n' '\0'; git ls-files -z -- '*.clang-format') | tar -x -C "$folder"
	(
		cd "$folder" || exit
		find . -name '*.[ch]' -print0 | xargs -0r sed -i -E 's,([^[:space:]])[[:space:]]+/\*[^*]*\*/$,\1,'
		find . -name '*.[ch]' | sed 's,^\./,,' | sort | wrong
	)
}

format_check() {
	format=$(formatter)
	if [ ! "$format" ]; then
		lacks format 'clang-format 14' clang-format
		return
	fi
	c_files >"$work/files"
	wrong <"$work/files" | unaligned >"$work/wrong"
	paths not-formatted >"$work/listed"
	only_in "$work/files" "$work/wrong" >"$work/right"
	only_in "$work/wrong" "$work/listed" >"$work/new"
	only_in "$work/listed" "$work/wrong" >"$work/done"
	ok "format: files that were formatted still are" said "$work/new" "%: not formatted; this does it: $format -i %"
	ok "format: files of tests/lint/not-formatted are not" said "$work/done" \
		"%: is formatted, or is gone; take it off tests/lint/not-formatted"
}

# ---- columns ----

# too_long: lines of the product above 100 columns, but for those that are a string, and drawings in comments
too_long() {
	c_files | grep -vE '^(tests|bench|examples|doc)/' | while read -r f; do
		expand -t 8 "$f" | awk -v f="$f" 'length > 100 && !/^ *"/ && !/^ *\*  / { print f ":" NR }'
	done
}

columns_check() {
	too_long >"$work/long"
	ok 'columns: no line is longer than 100' said "$work/long" '%: longer than 100 columns; break it'
}

# ---- scripts ----

# scripts: "SHELL FILE" of each shell script, SHELL being - where its first line says which
scripts() {
	local f line
	git ls-files | while read -r f; do
		[ -f "$f" ] && [ ! -L "$f" ] || continue
		line=
		IFS= read -r -n 80 line <"$f"
		if [[ $line =~ ^'#!'.*[/\ ](ba|da)?sh( |$) ]]; then
			echo "- $f"
		elif [[ $f == *.sh ]]; then
			echo "bash $f"
		fi
	done 2>/dev/null
}

# warned: what shellcheck says of all
warned() {
	sed -n 's/^- //p' "$work/scripts" | each 12 shellcheck -S warning -f gcc
	sed -n 's/^bash //p' "$work/scripts" | each 12 shellcheck -s bash -S warning -f gcc
}

scripts_check() {
	if ! command -v shellcheck >/dev/null; then
		lacks scripts shellcheck shellcheck
		return
	fi
	scripts >"$work/scripts"
	warned >"$work/said"
	ok "scripts: shellcheck has no warning" said "$work/said" '%'
}

# counts LIST: compares the lines "NAME N" of $work/found with those of a list: names with more go to $work/new, those with
# fewer, and how many, to $work/fewer
counts() {
	sed '/^#/d' "$here/$1" | sort >"$work/known"
	awk 'NR == FNR { known[$1] = $2; next } $2 > known[$1] + 0 { print $1 }' "$work/known" "$work/found" >"$work/new"
	awk 'NR == FNR { found[$1] = $2; next } found[$1] + 0 < $2 { print $1, found[$1] + 0 }' "$work/found" "$work/known" >"$work/fewer"
}

# ---- words ----

words_check() {
	if ! command -v python3 >/dev/null; then
		lacks words python3 python3
		return
	fi
	python3 tests/lint/words.py --count | sort >"$work/found"
	counts words-known
	xargs -r python3 tests/lint/words.py <"$work/new" >"$work/said"
	ok "words: no file has more sentences that must be read twice than tests/lint/words-known says" said "$work/said" '%'
	ok "words: no file has fewer" said "$work/fewer" "%: so many are left; write that into tests/lint/words-known (0: no line)"
}

# ---- tags ----

# tags: each struct, union or enum of the product that several files define, with how many do
tags() {
	git ls-files '*.c' '*.h' | grep -vE '^(tests|bench|examples)/' |
		xargs grep -HoE '^(struct|enum|union) [a-z_0-9]+ \{' | sed -E 's/^([^:]+):[a-z]+ ([a-z_0-9]+) .*/\2 \1/' | sort -u |
		awk '{ n[$1]++ } END { for (t in n) if (n[t] > 1) print t, n[t] }' | sort
}

tags_check() {
	tags >"$work/found"
	counts tags-known
	ok "tags: no struct has a second meaning that tests/lint/tags-known does not have" said "$work/new" \
		"%: another file defines a struct, union or enum of this name; choose a name that says what it is"
	ok "tags: none has fewer meanings" said "$work/fewer" "%: so many are left; write that into tests/lint/tags-known (0: no line)"
}

# ---- exported ----

exported_check() {
	if ! command -v python3 >/dev/null; then
		lacks exported python3 python3
		return
	fi
	python3 tests/lint/exported.py | sort >"$work/found"
	paths exported-known >"$work/listed"
	sed 's/ .*//' "$work/found" | sort -u >"$work/unused"
	only_in "$work/unused" "$work/listed" | join - "$work/found" >"$work/new"
	only_in "$work/listed" "$work/unused" >"$work/done"
	ok "exported: another file uses each function that a header declares" said "$work/new" \
		"%: no other file uses it; delete it, or make it static"
	ok "exported: none uses those of tests/lint/exported-known" said "$work/done" \
		"%: is used, or is gone; remove it from tests/lint/exported-known"
}

# ---- page ----

# checked: what node says of the scripts of gorge's page that it cannot read
checked() {
	git ls-files 'viewers/gorge/page/*.js' | each 1 node --check
}

page_check() {
	if command -v node >/dev/null; then
		checked >"$work/said"
		ok "page: node reads each script" said "$work/said" '%'
	else
		lacks "page: node --check" node nodejs
	fi
	if ! command -v python3 >/dev/null; then
		lacks page python3 python3
		return
	fi
	python3 tests/lint/page.py long >"$work/found"
	counts page-columns-known
	ok "page: no script has more lines over 120 columns than tests/lint/page-columns-known says" said "$work/new" \
		"%: longer than 120 columns; break the new lines"
	ok "page: no script has fewer" said "$work/fewer" "%: so many are left; write that into tests/lint/page-columns-known (0: no line)"
	python3 tests/lint/page.py heads >"$work/wrong"
	ok "page: each script names those that it uses" said "$work/wrong" "%; this writes it: tests/lint/page.py heads --mend"
	python3 tests/lint/page.py upwards | sort >"$work/found"
	sed '/^#/d' "$here/page-upwards-known" | sort >"$work/known"
	only_in "$work/found" "$work/known" >"$work/new"
	only_in "$work/known" "$work/found" >"$work/done"
	ok "page: scripts use those before them in assets.c" said "$work/new" "%: the first uses the second, which comes later"
	ok "page: those of tests/lint/page-upwards-known use a later one" said "$work/done" \
		"%: no longer so; remove it from tests/lint/page-upwards-known"
}

# ---- readmes ----

readmes_check() {
	"$here/readmes" | sort >"$work/unnamed"
	paths not-named >"$work/listed"
	only_in "$work/unnamed" "$work/listed" >"$work/new"
	only_in "$work/listed" "$work/unnamed" >"$work/done"
	ok "readmes: each README.md names the files of its folder" said "$work/new" \
		"%: name it in the README.md of its folder, and say what it does"
	ok "readmes: files of tests/lint/not-named are not named" said "$work/done" \
		"%: is named, or is gone; remove it from tests/lint/not-named"
}

# ---- analyzer ----

# analyzed: the C files that are looked through; those of gorge's page are compiled by another compiler
analyzed() {
	git ls-files -- '*.c' | grep -E '^(base|grammar|spec|codegen|trace|match|analysis|cli|formats|recorder|runtime|viewers)/' |
		grep -v '^viewers/gorge/wasm/'
}

# analyze FILE: what gcc says of it; nothing is assembled
analyze() {
	# shellcheck disable=SC2086
	$compiler -std=gnu11 -O0 -fanalyzer -fdiagnostics-path-format=none -fno-diagnostics-show-caret $flags \
		-S "$1" -o "$work/out/${1//\//,}.s" || echo "$1: error: it does not compile"
}
export -f analyze

# gcc_12: a gcc 12; each version finds something else
gcc_12() {
	local c
	for c in "${CC:-gcc}" gcc gcc-12; do
		command -v "${c%% *}" >/dev/null && [[ $($c --version) == *gcc* ]] && [[ $($c -dumpversion) == 12* ]] && echo "$c" && return
	done
}

analyzer_check() {
	local file option
	compiler=$(gcc_12)
	if [ ! "$compiler" ]; then
		lacks analyzer 'gcc 12' gcc-12
		return
	fi
	if [ ! -e "$BUILD/config.h" ] || [ ! -e "$BUILD/grammar/parser.h" ]; then
		skip analyzer "nothing was built in $BUILD; BUILD names a folder where it was"
		skipped=1
		return
	fi
	# What was compiled before costs nothing: it replays the warnings, too.
	! command -v ccache >/dev/null || compiler="ccache $compiler"
	# shellcheck disable=SC2089 # the compiler shall see the quotes
	flags="-DHAVE_CONFIG_H -D_GNU_SOURCE -DHAVE_LIBDW -DSPEC_FOLDER=\"spec\" -DPROBES_FOLDER=\"probes\" -DJARS_FOLDER=\"jars\" -DJOB_FOLDER=\"job\" -DPAGE=\"page\""
	flags="$flags -I. -Iruntime -I$BUILD -I$BUILD/recorder/resources -I$BUILD/recorder/samples -I$BUILD/recorder/scheduler -I$BUILD/probes/threads"
	flags="$flags $(pkg-config --cflags cairo libmicrohttpd libprotobuf-c 2>/dev/null)"
	# shellcheck disable=SC2090
	export compiler flags work
	mkdir -p "$work/out"
	analyzed >"$work/analyzed"
	each 1 bash -c 'analyze "$1"' _ <"$work/analyzed" >"$work/warnings"
	sed -nE 's/^([^: ]+):[0-9]+:[0-9]+: warning: .*\[(-Wanalyzer[^]]*)\]$/\1 \2/p' "$work/warnings" | sort -u >"$work/found"
	sed -nE 's/^([^# ]+ +-[^ ]+).*/\1/p' "$here/analyzer-known" | sort -u >"$work/known"
	only_in "$work/found" "$work/known" | while read -r file option; do
		grep -F "$file:" "$work/warnings" | grep -F "[$option]"
	done | sort -u >"$work/new"
	only_in "$work/known" "$work/found" >"$work/done"
	grep -E '(^|: )(fatal )?error: ' "$work/warnings" >"$work/errors"
	ok "analyzer: $(wc -l <"$work/analyzed") files compile" said "$work/errors" '%'
	ok "analyzer: gcc finds nothing new in them" said "$work/new" '%'
	ok "analyzer: what tests/lint/analyzer-known has is still found" said "$work/done" "%: not found; take it off tests/lint/analyzer-known"
}

if ! git ls-files --error-unmatch configure.ac >/dev/null 2>&1; then
	echo '1..0 # SKIP this is no checkout of git'
	exit 77
fi
parts=()
for argument; do
	case $argument in
	format | columns | scripts | words | tags | exported | page | readmes | analyzer) parts+=("$argument") ;;
	*)
		sed -n '2s/^# //p' "$0" >&2
		exit 2
		;;
	esac
done
[ ${#parts[@]} -gt 0 ] || parts=(format columns scripts words tags exported page readmes analyzer)
for part in "${parts[@]}"; do
	"${part}_check"
done
plan || exit 1
[ ! "$skipped" ] || exit 77
