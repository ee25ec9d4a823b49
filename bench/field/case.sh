#!/usr/bin/env bash
# Sources a case and does one thing with it, in the current directory:
#	case.sh FOLDER describe		prints its variables, each as NAME=VALUE and a zero byte
#	case.sh FOLDER prepare|run|changed|measure
# If FIELD_RECORD is set, the program that run executes starts under that command, whose words are separated by
# newlines. So the shell itself is never recorded.
set -e
CASE=$1
export CASE
# shellcheck source=/dev/null
. "$CASE/case"
case $2 in
describe)
	for name in TITLE SORT HALF PACKAGES PIP NPM CRATES MAVEN CHANGE RANK RIGHT WRONG INTERVAL NOTES PLANTED; do
		printf '%s=%s\0' "$name" "${!name-}"
	done
	declare -F measure >/dev/null && printf 'MEASURED=yes\0'
	exit
	;;
run)
	if [ -n "${FIELD_RECORD-}" ]; then
		mapfile -t record <<<"$FIELD_RECORD"
		exec() {
			unset FIELD_RECORD
			builtin exec "${record[@]}" "$@"
		}
	fi
	;;
esac
"$2"
