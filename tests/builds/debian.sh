#!/usr/bin/env bash
# The Debian packages: built from the tarball as Debian does it, without a complaint of lintian, installed in a view
# of the files of its own, used there as their users do, and removed without a trace. Usage: debian.sh BUILD
# (./check runs it; the tarball is that of make distcheck; with "view COMMAND..." it only runs that in such a view)
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD build=$(cd "$1" && pwd)
work=$build/debian

packages() {
	local tarball version upstream
	tarball=$(ls "$build"/glimpse-*.tar.xz)
	version=$(basename "$tarball" .tar.xz)
	rm -rf "$work" && mkdir -p "$work" && cd "$work"
	upstream=${version#glimpse-}
	cp "$tarball" "glimpse_${upstream/-rc/\~rc}.orig.tar.xz" # for Debian a candidate comes before the release
	tar xf "$tarball" && cp -r "$source/debian" "$version" && cd "$version"
	DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc
	cd .. && lintian --fail-on error,warning ./*.changes
}

# What their users do, as on a system where nothing else of Glimpse is: one program for each package.
used() {
	cd "$(mktemp -d)"
	cp -r /usr/share/doc/glimpse/examples/messages .
	cd messages
	glimpsec messages.spec
	# shellcheck disable=SC2046
	cc -o prog ./*.c $(pkg-config --cflags --libs glimpse) -lm -lpthread
	GLIMPSE_DIR=run ./prog
	glimpse stats run
	gorge -o run.svg run && grep -q '<svg' run.svg
	gorge -o run.html run && grep -q WebAssembly run.html
	glimpse record -q -o any -- sort --parallel=2 -o sorted messages.c && glimpse threads any
	glimpsec --language=java messages.spec && javac -cp /usr/share/java/glimpse.jar ./*.java
	man -w glimpse gorge nibble glimpsec
	man -w 3 glimpse
	test -s /usr/share/doc/glimpse/README.md
}

installed() {
	PATH=/usr/sbin:/usr/bin:/sbin:/bin
	unset GLIMPSE_DIR GLIMPSE_SPEC_PATH MAKEFLAGS MAKELEVEL MFLAGS TMPDIR
	find /usr /etc /lib | sort >/tmp/before
	rm -f "$work"/*-dbgsym_*.deb
	dpkg --install "$work"/*.deb
	used
	dpkg --purge glimpse glimpse-doc libglimpse-java libglimpse-dev libglimpse0
	find /usr /etc /lib | sort >/tmp/after
	! diff /tmp/before /tmp/after | grep -i glimpse
}

# view COMMAND...: as root, in a copy of the files that is written to memory; the checkout and its build are in it
# wherever they are
view() {
	local over=$work/over
	mkdir -p "$over" && mount -t tmpfs tmpfs "$over" && mkdir "$over"/{upper,work,all} || return 77
	mount -t overlay overlay -o "lowerdir=/,upperdir=$over/upper,workdir=$over/work" "$over/all" || return 77
	mount --rbind /dev "$over/all/dev" && mount -t proc proc "$over/all/proc" && mount -t tmpfs tmpfs "$over/all/tmp" &&
		mkdir -p "$over/all$source" && mount --bind "$source" "$over/all$source" &&
		mkdir -p "$over/all$work" && mount --bind "$work" "$over/all$work" || return 77
	chroot "$over/all" "$@"
}

case ${2:-} in
installed) installed ;;
view) view "${@:3}" ;;
*)
	packages
	if [ "$(id -u)" != 0 ] || ! unshare -m true; then
		echo 'not installed: that needs root, and a view of the files of its own'
	else
		status=0
		unshare -m bash "$source/tests/builds/debian.sh" "$build" view \
			bash "$source/tests/builds/debian.sh" "$build" installed || status=$?
		[ "$status" != 77 ] || { echo 'not installed: the system lays no files over others' && exit 0; }
		exit "$status"
	fi
	;;
esac
