#!/bin/sh
# Compares a tarball's files with those in git: what one has and the other has not is an error.
# Usage: tarball.sh SOURCES UNPACKED NOT-IN-TARBALL (make dist runs it)
sources=$1 unpacked=$2 left_out=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# What is generated, so that building needs none of its tools.
generated='Makefile\.in|aclocal\.m4|build-aux/[^/]*|config\.h\.in|configure|m4/[^/]*\.m4|grammar/(parser\.[ch]|scanner\.c)'

git -C "$sources" ls-files | grep -vE "^($left_out)" | sort >"$work/git" || exit 1
(cd "$unpacked" && find . -type f) | sed 's|^\./||' | grep -vE "^($generated)\$" | sort >"$work/tarball" || exit 1
comm -13 "$work/git" "$work/tarball" | sed 's/^/in the tarball and not in git: /' >"$work/wrong"
comm -23 "$work/git" "$work/tarball" | sed 's/^/in git and not in the tarball: /' >>"$work/wrong"
[ ! -s "$work/wrong" ] && exit
cat "$work/wrong" >&2
echo 'make dist: git add or remove these files' >&2
exit 1
