#!/bin/sh
# figures.sh SOURCE: records the programs of README.md, examples and doc/ anew, and draws their pictures into the directory
# in which it is called: what pictures show of a recorded program, and gorge's page. SOURCE: the directory of the sources.
# On a machine on which nothing else runs, with node, chromium and chromedriver.
set -eu
source=$1
cc=${CC:-cc} cxx=${CXX:-c++}

# README.md
seq 2000000 | shuf >numbers
glimpse record -q -o sorting -- sort -n --parallel=4 -o sorted numbers
gorge sorting -o sorting.png

# examples/anyprogram
"$source/examples/pgz/make-input" input.tar 30
glimpse record -q -o pigz4 -- pigz -k -f -p4 input.tar
gorge pigz4 -o pigz.png
"$source/examples/pgz/make-input" small.tar 8
glimpse record -q -o whole -- xz -k -f -T4 small.tar
gorge whole -o whole.png
rm -f small.tar.xz
glimpse record -q -o blocks -- xz -k -f -T4 --block-size=2MiB small.tar
gorge blocks -o blocks.png

# doc/views.md
$cxx -O1 -g -o stages "$source/tests/viewers/first/stages.cc" -lpthread
glimpse record -q -o run -- ./stages 400 >/dev/null
gorge run -o first.png
seq 1000000 | shuf >numbers
glimpse record -q -o sorting1 -- sort -n --parallel=4 -o sorted numbers
nibble sorting1 'smooth(parallel(Running), 10 ms)' 'smooth(parallel(Ready), 10 ms)' -o parallel.png
nibble sorting1 'hist(parallel(Running))' 'hist(parallel(Running) + parallel(Ready))' -o concurrency.png
nibble sorting1 'share(state) per thread' -o states.png
nibble sorting1 'share(wait)' -o waits.png
gorge sorting1 --order logical --events none --intervals Running,Blocked,LockWait,Handover,Spawn -o logical.png
sed -n '/^<!-- test: file kitchen.c -->/,/^```$/p' "$source/doc/views.md" | sed '1,2d;$d' >kitchen.c
$cc -g -finstrument-functions -o kitchen kitchen.c -lpthread
glimpse record -q --probes functions,threads,scheduler -o cooking -- ./kitchen
gorge --flame=off cooking -o flame.png
glimpse record -q -o stews -- ./kitchen
gorge stews -o functions.png
glimpse record -q -o pigz1 -- pigz -k -f -p4 numbers
nibble pigz1 'bottle(Running)' -o bottle.png
$cc -O1 -g -o buffer "$source/doc/pictures/buffer.c" -lpthread
glimpse record -q -o objects -- ./buffer
gorge objects --from 15ms --to 45ms --lanes threads,locks,semaphores -o objects.png
glimpsec -o . "$source/doc/pictures/server.spec"
$cc -O1 -g -I. -o server "$source/doc/pictures/server.c" server_glimpse.c -lglimpse -lpthread
GLIMPSE_DIR=$PWD/server.run ./server
gorge server.run --from 1s --to 1.012s -o alive.png

# gorge's page, in README.md, doc/why.md and doc/views.md
$cc -O1 -g -o hot "$source/tests/analysis/why/hot.c" -lpthread
glimpse record -q -o locked -- ./hot
glimpse record -q --probes threads,scheduler -o turns -- ./hot
glimpsec -o . "$source/examples/pgz/pgz.spec"
$cc -O2 -D_GNU_SOURCE -I. -o pgz "$source"/examples/pgz/*.c pgz*.c -lglimpse -lz -lpthread
GLIMPSE_DIR=pgz4 ./pgz -p 4 input.tar
node "$source/doc/pictures/pages.js" "$(command -v gorge)" pgz4 locked cooking turns

# doc/whatif.md and examples/whatif
mkdir bench
build=$(dirname "$(command -v glimpse)") src=$source BENCH_DIR=$PWD/bench RUNNING_THREAD_CURVE=curve.csv \
	sh "$source/bench/running_thread.sh"
"$source/doc/pictures/running-thread.sh" curve.csv running-thread.png
"$source/examples/pgz/make-input" input.tar 120
glimpse record -q -o level9 -- pigz -k -f -9 input.tar
"$source/examples/whatif/figures.sh" level9 2.24
