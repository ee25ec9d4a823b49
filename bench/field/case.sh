#!/usr/bin/env bash
# Sources a case and does one thing with it, in the current directory:
#	case.sh FOLDER describe		prints its variables, each as NAME=VALUE and a zero byte
#	case.sh FOLDER prepare|run|changed|measure
# The program that run or changed executes begins at the word exec: that time is written to the file FIELD_BEGUN.
# If FIELD_RECORD is set, the program that run executes starts under that command, whose words are separated by
# newlines. So the shell itself is never recorded.
set -e
CASE=$1
export CASE
# shellcheck source=/dev/null
. "$CASE/case"
case $2 in
describe)
	for name in TITLE SORT HALF PACKAGES PIP NPM CRATES MAVEN CHANGE RANK RIGHT WRONG NAMED HOLDER MISSES INTERVAL NOTES PLANTED; do
		printf '%s=%s\0' "$name" "${!name-}"
	done
	declare -F measure >/dev/null && printf 'MEASURED=yes\0'
	exit
	;;
run | changed)
	record=()
	[ -z "${FIELD_RECORD-}" ] || mapfile -t record <<<"$FIELD_RECORD"
	exec() {
		[ -z "${FIELD_BEGUN-}" ] || echo "$EPOCHREALTIME" >"$FIELD_BEGUN"
		unset FIELD_RECORD FIELD_BEGUN
		builtin exec "${record[@]}" "$@"
	}
	;;
esac
"$2"
