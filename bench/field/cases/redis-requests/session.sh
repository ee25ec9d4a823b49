#!/bin/sh
# Usage: session.sh REQUESTS. Starts Redis without persistence, sends requests from one connection, and shuts it down.
rm -f redis.sock
redis-server --port 0 --unixsocket redis.sock --save '' --appendonly no >server.log &
server=$!
while kill -0 "$server" && [ ! -S redis.sock ]; do sleep 0.01; done
redis-benchmark -s redis.sock -t get -n "$1" -c 1 -P 1 -q >client.log
status=$?
redis-cli -s redis.sock shutdown nosave
wait
exit "$status"
