#!/bin/sh
# Usage: session.sh CLIENT GETS. Starts memcached with two threads, runs the client, and ends the server.
rm -f memcached.sock
memcached -u root -t 2 -m 16 -s memcached.sock -a 777 &
server=$!
while kill -0 "$server" && [ ! -S memcached.sock ]; do sleep 0.01; done
python3 "$1" memcached.sock "$2"
status=$?
kill "$server"
wait
exit "$status"
