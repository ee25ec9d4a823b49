#!/bin/sh
# figures.sh SOURCE: records the programs of README.md, examples/anyprogram and doc/views.md anew, and draws their pictures
# into the directory in which it is called. SOURCE: the directory of the sources. On a machine on which nothing else runs.
set -eu
source=$1
cxx=${CXX:-c++}

seq 2000000 | shuf >numbers
glimpse record -q -o sorting -- sort -n --parallel=4 -o sorted numbers
gorge sorting -o sorting.png

"$source/examples/pgz/make-input" input.tar 30
glimpse record -q -o pigz4 -- pigz -k -f -p4 input.tar
gorge pigz4 -o pigz.png
"$source/examples/pgz/make-input" small.tar 8
glimpse record -q -o whole -- xz -k -f -T4 small.tar
gorge whole -o whole.png
rm -f small.tar.xz
glimpse record -q -o blocks -- xz -k -f -T4 --block-size=2MiB small.tar
gorge blocks -o blocks.png

$cxx -O1 -g -o stages "$source/tests/viewers/first/stages.cc" -lpthread
glimpse record -q -o run -- ./stages 120 >/dev/null
gorge run -o first.png
