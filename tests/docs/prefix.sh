#!/usr/bin/env bash
# What `make installcheck` does: with the two lines that doc/builds.md has for another prefix, a program is built and runs.
# Usage: prefix.sh BINDIR LIBDIR DOCUMENT
set -eu -o pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$1:$PATH PKG_CONFIG_PATH=$2/pkgconfig
LDFLAGS=$(pkg-config --variable=rpath glimpse)
export LDFLAGS
unset LD_LIBRARY_PATH LIBRARY_PATH C_INCLUDE_PATH GLIMPSE_DIR MAKEFLAGS MAKELEVEL MFLAGS
for file in pieces.spec main.c Makefile; do
	awk -v file="$file" '$0 == "<!-- test: file " file " -->" { found = 1 } found && /^```/ { if (inside++) exit; next }
		found && inside' "$3" >"$work/$file"
done
cd "$work"
make -s pieces
GLIMPSE_DIR=run ./pieces
glimpse stats run | grep '^Piece  *3 '
