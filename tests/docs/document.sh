# Runs what a document shows. Sourced by the tests of this folder.
#
# In Markdown, a fenced block ```sh holds commands, each after "$ " (a backslash at the end of the line carries on), and
# after a command what it prints. An HTML comment on the line before a block says how to take it:
#
#   <!-- test: file NAME -->      the block is a file of that name, for the commands that follow
#   <!-- test: exact -->          what the commands print is compared to the letter
#   <!-- test: shape -->          compared with every number taken for the same, and every run of blanks and rules
#   <!-- test: status N... -->    the commands exit with N, or one of these; a reason may follow in ( )
#   <!-- test: skip REASON -->    cannot be run in a test
#   <!-- test: recording ... -->  skipped in builds with sanitizers, which cannot be preloaded into programs without; what
#                                 follows is as above
#   <!-- test: needs TOOL... -->  skipped where one of the tools is not installed
#
# Without a comment the commands must exit with 0. In a man page the commands stand in the section EXAMPLES, in lines
# that begin with "$ " between .EX and .EE, or .nf and .fi.

. "$SRC/tests/docs/tap.sh"

# scratch: an empty working directory in which the tools are found as if they were installed
scratch() {
	working_directory
	mkdir "$work/bin" "$work/dir"
	# Programs must be linked with the flags that the library was built with (sanitizers).
	printf '#!/bin/sh\nexec "%s" %s %s "$@"\n' "$SRC/tests/docs/apart" "${CC:-cc}" "${TEST_CFLAGS:-}" >"$work/bin/cc"
	chmod +x "$work/bin/cc"
	if command -v ${FC:-gfortran} >/dev/null; then
		printf '#!/bin/sh\nexec %s %s "$@"\n' "$(command -v ${FC:-gfortran})" "${TEST_CFLAGS:-}" >"$work/bin/gfortran"
		chmod +x "$work/bin/gfortran"
	fi
	# A virtual machine that ends soon is not worth the second compiler.
	if command -v javac >/dev/null; then
		printf '#!/bin/sh\nexec %s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"\n' "$(command -v java)" >"$work/bin/java"
		printf '#!/bin/sh\nexec %s -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"\n' "$(command -v javac)" >"$work/bin/javac"
		chmod +x "$work/bin/java" "$work/bin/javac"
	fi
	printf 'fortran=%s\nName: glimpse\nDescription: as built\nVersion: 0\n' "$SRC/runtime/glimpse.f90" >"$work/bin/glimpse.pc"
	export PKG_CONFIG_PATH="$work/bin${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
	export PATH="$work/bin:$BUILD:$PATH"
	export C_INCLUDE_PATH="$SRC/runtime${C_INCLUDE_PATH:+:$C_INCLUDE_PATH}"
	export LIBRARY_PATH="$BUILD/.libs${LIBRARY_PATH:+:$LIBRARY_PATH}"
	export LD_LIBRARY_PATH="$BUILD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	export CLASSPATH="$BUILD/glimpse.jar:classes"
	unset GLIMPSE_DIR
	cd "$work/dir" || exit 1
}

# shape: standard input without what changes from run to run. A lone "-" stands for a number that there is not.
shape() {
	sed -E -e 's/[0-9]+([.,][0-9]+)*( ?(ns|us|ms|s|min|[kMG]?B|[KMG]iB))?\b/N/g' \
		-e 's/[-─━=]{3,}/-/g; s/[[:space:]]+/ /g; s/ $//' \
		-e 's/(^| )-( |$)/\1N\2/g; s/(^| )-( |$)/\1N\2/g'
}

# compare MODE WANTED: whether the last command's output is as the document shows it
compare() {
	local wanted=$2
	[ -n "$wanted" ] || return 0
	case $1 in
	exact) diff <(printf '%s' "$wanted") "$work/output" >&2 ;;
	shape) diff <(printf '%s' "$wanted" | shape) <(shape <"$work/output") >&2 ;;
	esac
}

# run DOCUMENT MODE COMMAND OUTPUT
run() {
	local name="$1: $3" mode=$2 status=0 wanted=0 good=0
	if [[ $mode == skip* ]]; then
		skip "$name" "${mode#skip }"
		return
	fi
	[[ $mode != status* ]] || wanted=${mode#status } wanted=${wanted%%(*}
	bash -c "$3" >"$work/output" 2>&1 </dev/null || status=$?
	if [[ " $wanted " != *" $status "* ]]; then
		echo "# exit status $status, not $wanted; it printed:"
		sed 's/^/#   /' "$work/output"
		good=1
	fi
	compare "$mode" "$4" || good=1
	report "$good" "$name"
}

# commands DOCUMENT MODE: runs the commands of the block on standard input
commands() {
	local line command='' output='' found=0
	while IFS= read -r line <&3; do
		if [[ $command == *\\ ]]; then
			command=${command%\\}${line#"> "}
		elif [[ $line == '$ '* ]]; then
			[ -z "$command" ] || run "$1" "$2" "$command" "$output"
			command=${line#'$ '} output='' found=1
		else
			output+=$line$'\n'
		fi
	done
	[ -z "$command" ] || run "$1" "$2" "$command" "$output"
	[ "$found" = 1 ] || report 1 "$1: a block of commands has none after \"\$ \""
}

# needed TOOL...: the mode of a block that needs them
needed() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || { echo "skip $tool is not installed"; return; }
	done
}

# markdown FILE: runs its blocks in the working directory
markdown() {
	local name=${1#"$SRC/"} line block='' language='' mode='' inside=0
	while IFS= read -r line <&4; do
		if [ "$inside" = 1 ] && [[ $line == '```' ]]; then
			inside=0
			if [[ $mode == file* ]]; then
				printf '%s' "$block" >"${mode#file }"
			elif [ "$language" = sh ]; then
				commands "$name" "$mode" 3<<<"${block%$'\n'}"
			fi
			mode=''
		elif [ "$inside" = 1 ]; then
			block+=$line$'\n'
		elif [[ $line == '```'* ]]; then
			inside=1 language=${line#'```'} block=''
		elif [[ $line == '<!-- test: '*' -->' ]]; then
			mode=${line#'<!-- test: '}
			mode=${mode%' -->'}
			if [[ $mode == recording* ]]; then
				mode=${mode#recording} mode=${mode# }
				[[ $TEST_CFLAGS != *-fsanitize=* ]] || mode='skip programs without sanitizers cannot load what has some'
			fi
			[[ $mode != needs* ]] || mode=$(needed ${mode#needs})
		fi
	done 4<"$1"
}

# manual FILE: runs the commands of the section EXAMPLES
manual() {
	local block
	block=$(awk '/^\.SH/ { on = /EXAMPLES/; next }
		on && /^\.(EX|nf)/ { inside = 1; next }
		/^\.(EE|fi)/ { inside = 0 }
		on && inside' "$1" | sed 's/\\-/-/g; s/\\e/\\/g; s/\\(aq/'"'"'/g; s/\\&//g; s/\\(dq/"/g; s/\\(ga/`/g')
	[ -n "$block" ] || report 1 "${1##*/}: no commands in its section EXAMPLES"
	[ -z "$block" ] || commands "${1##*/}" '' 3<<<"$block"
}
