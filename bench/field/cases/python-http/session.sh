#!/bin/sh
# Usage: session.sh SERVER ROUNDS. Starts the server, fetches 20 pages one after the other, and ends the server.
rm -f http.sock
python3 "$1" "$2" &
server=$!
while kill -0 "$server" && [ ! -S http.sock ]; do sleep 0.01; done
curl -sS --fail --unix-socket http.sock 'http://localhost/page[1-20]' >answers
status=$?
kill "$server"
wait
exit "$status"
