#!/bin/sh
# Usage: session.sh POLICY REQUESTS. Starts Redis with an append-only file, writes, and shuts it down.
rm -rf data
mkdir data
redis-server --port 0 --unixsocket redis.sock --dir data --save '' --appendonly yes --appendfsync "$1" >server.log &
server=$!
while kill -0 "$server" && [ ! -S data/redis.sock ]; do sleep 0.01; done
redis-benchmark -s data/redis.sock -t set -n "$2" -c 1 -q >client.log
status=$?
redis-cli -s data/redis.sock shutdown nosave
wait
exit "$status"
