#!/bin/sh
# Usage: session.sh COMMAND. Writes 100 small files, and runs COMMAND for each of them.
i=0
while [ $i -lt 100 ]; do
	echo "some text" >"file$i"
	"/bin/$1" "file$i"
	i=$((i + 1))
done
rm -f file*
