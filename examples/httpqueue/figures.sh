#!/bin/sh
# figures.sh DEFAULT NODELAY: pictures of a run of HttpQueue, and of one with -Dsun.net.httpserver.nodelay=true, in the
# working directory.
set -eu
default=$1 nodelay=$2

# A tenth of a second while the pool is busy: who waits for whom.
gorge "$nodelay" --from 600ms --to 700ms --threads 'HTTP-Dispatcher,worker*' --intervals Queued,Served -o queue.png
# How long the queue is.
nibble "$nodelay" 'open(Queued)' 'open(Served)' -o length.png
# How long a client waits for an answer once its request is read.
nibble "$default" "$nodelay" 'hist(Return.time)' -o return.png
