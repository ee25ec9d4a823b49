#!/usr/bin/env bash
# ./check on a machine that has nothing but Debian's base packages and git: in /tmp, in a path with a space, and as a
# user who is not root; no locale is set. Not a part of ./check; by hand, as root:
#
#   tests/builds/fresh-machine.sh DIRECTORY [ARGUMENT OF ./check]...
#
# The machine is made in DIRECTORY, with the Debian of the running system; one that is there is used again, with the
# packages that it has. It has the checkout's HEAD: what is not committed is not tested. WAYS="tmp space user" says which.
set -euo pipefail
ways=${WAYS:-tmp space user}

# What the running system needs to reach its packages: they come from where its own come from.
sources() {
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
		sort -u
}

make_machine() {
	local root=$1 suite mirror
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mirror=$(sources | awk -v suite="$suite" '$3 == suite && $4 == "main" { print $2; exit }')
	[ -n "$mirror" ] || { echo "fresh-machine: apt has no lists of Debian $suite; run apt-get update" >&2; return 1; }
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror"
	sources >"$root/etc/apt/sources.list"
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-)' >"$root/etc/apt/apt.conf.d/99running-system" || true
	[ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
	cp /etc/hosts /etc/resolv.conf "$root/etc/"
	touch "$root/etc/fresh-machine"
}

# The machine's view: its own root, processes and /tmp; what is mounted goes with the last process.
enter() {
	local root=$1
	mount --bind "$root" "$root"
	mount --rbind /dev "$root/dev"
	mount --rbind /sys "$root/sys"
	mount -t proc proc "$root/proc"
	mount -t tmpfs tmpfs "$root/run"
	mkdir -p "$root/run/checkout"
	mount --bind "$(dirname "$0")" "$root/run/checkout"
	cd "$root"
	pivot_root . mnt
	exec chroot . sh -c 'umount -l /mnt && exec "$@"' sh "${@:2}"
}

# way NAME ARGUMENT...: one check, of which is kept how it ended
way() {
	local name=$1 user=root dir start=$SECONDS last
	shift
	case $name in
	tmp) dir=/tmp/glimpse ;;
	space) dir='/root/my projects/glimpse' ;;
	user) dir=/home/tester/glimpse user=tester ;;
	*) echo "fresh-machine: no such way: $name; there are tmp, space and user" >&2 && return 1 ;;
	esac
	rm -rf "$dir"
	[ "$user" = root ] || id "$user" >/dev/null 2>&1 || useradd -m "$user"
	# shellcheck disable=SC2016
	setpriv --reuid="$user" --regid="$user" --init-groups env HOME="$(getent passwd "$user" | cut -d: -f6)" \
		bash -c 'cd / && mkdir -p "$(dirname "$1")" && git -c advice.detachedHead=false clone -q /srv/glimpse.bundle "$1" && cd "$1" && ./check "${@:2}"' \
		bash "$dir" "$@" 2>&1 | tee "/root/$name.log" || true
	last=$(tail -n 1 "/root/$name.log")
	printf '%-6s %s (%s s)\n' "$name" "$last" $((SECONDS - start)) >>/root/ways
	[[ $last =~ ^[0-9]+\ passed,\ 0\ failed ]]
}

# In the machine.
inside() {
	local name status=0
	command -v git >/dev/null || {
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -qq git
	}
	rm -f /root/ways
	for name in $ways; do
		echo "---- $name"
		way "$name" "$@" || status=1
	done
	cat /root/ways
	return "$status"
}

case ${1:-} in
--inside) inside "${@:2}" ;;
--enter) enter "$2" "${@:3}" ;;
'' | -*) sed -n '2,/^set/s/^# \?//p' "$0" && exit 2 ;;
*)
	[ "$(id -u)" = 0 ] || { echo 'fresh-machine: run it as root; it mounts' >&2 && exit 1; }
	command -v debootstrap >/dev/null || { echo 'fresh-machine: please install debootstrap' >&2 && exit 1; }
	mkdir -p "$1"
	root=$(cd "$1" && pwd)
	[ -e "$root/etc/fresh-machine" ] || make_machine "$root"
	git -C "$(dirname "$0")" bundle create -q "$root/srv/glimpse.bundle" HEAD
	kept=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb WAYS="$ways")
	for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		[ -z "${!name:-}" ] || kept+=("$name=${!name}")
	done
	unshare --mount --pid --fork --kill-child bash "$0" --enter "$root" \
		env -i "${kept[@]}" bash /run/checkout/fresh-machine.sh --inside "${@:2}"
	;;
esac
