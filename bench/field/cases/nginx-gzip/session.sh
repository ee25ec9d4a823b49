#!/bin/sh
# Usage: session.sh LEVEL REQUESTS. Starts nginx with one worker, fetches a file several times, and ends the server.
rm -f nginx.sock
nginx -p "$PWD" -c "level$1.conf" -e error.log &
server=$!
while kill -0 "$server" && [ ! -S nginx.sock ]; do sleep 0.01; done
curl -sS --fail -H 'Accept-Encoding: gzip' --unix-socket nginx.sock "http://localhost/text.txt?[1-$2]" >answers
status=$?
kill "$server"
wait
exit "$status"
