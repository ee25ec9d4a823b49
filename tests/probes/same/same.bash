#!/usr/bin/env bash
# Jobs, traps, coprocesses and descriptors, for same.test: output and exit status are always the same.
trap 'echo usr1' USR1
trap 'echo ended' EXIT
for n in 1 2 3; do (exit "$n") & done
wait %1; echo $?
wait
kill -USR1 $$
coproc { while read -r line; do echo "<$line>"; done; }
echo text >&"${COPROC[1]}"
read -r answer <&"${COPROC[0]}"
echo "$answer"
exec {fd}<<<'a here string'
cat <&"$fd"
seq 500 | while read -r n; do [ $((n % 100)) = 0 ] && echo "$n"; done | tac
echo "${PIPESTATUS[@]}" "$(ulimit -n 20; : {other}<&0; echo "$other")"
cat <(echo one) <(seq 3 | sort -r)
timeout -s INT 0.2 sleep 20; echo $?
{ sh -c 'kill -SEGV $$'; echo $?; } 2>/dev/null
exit 17
