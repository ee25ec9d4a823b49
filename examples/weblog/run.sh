#!/bin/sh
# Usage: run.sh DIRECTORY
# Starts nginx in a new directory, asks it for some pages, and leaves its access.log there.
set -eu
PATH=$PATH:/usr/sbin
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
cd "$1"
mkdir -p files/search files/video temporary
echo 'It works.' >files/index.html
for i in $(seq 60); do echo "found $i" >files/search/$i; done
head -c 1000000 /dev/zero >files/video/intro

# A port that nobody has.
for try in 1 2 3 4 5 6 7 8 9; do
	port=$((20000 + ($$ * 9 + try * 997) % 30000))
	sed "s/PORT/$port/" "$here/nginx.conf" >nginx.conf
	# Started by root, its worker would be another user, who may not read these files.
	nginx -p "$PWD" -c nginx.conf -g "user $(id -un);" 2>start.log && break
	[ $try -lt 9 ] || { cat start.log >&2; exit 1; }
done
trap 'kill "$(cat nginx.pid)"' EXIT

site=http://127.0.0.1:$port
ask() { curl --silent --output /dev/null "$@" 2>>curl.log; }
ask --parallel --parallel-max 4 "$site/index.html?[1-40]" &
ask --parallel --parallel-max 8 "$site/search/[1-60]" &
ask --parallel --parallel-max 3 "$site/video/intro?[1-3]" &
ask "$site/nowhere/[1-5]" &
wait
