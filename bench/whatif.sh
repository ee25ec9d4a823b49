# Rows: what glimpse whatif predicts of runs that can be made, and how much that is off.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory whatif
repeats=${WHATIF_REPEATS:-25}
${CC:-cc} -O1 -g -finstrument-functions -o "$work/recorded" "$src/bench/whatif.c" -lpthread &&
	${CC:-cc} -O1 -g -o "$work/plain" "$src/bench/whatif.c" -lpthread || exit 2

# main_of DIRECTORY: how long main was in it, ns; what is around main is the recorder's
main_of() {
	"$build/glimpse" profile --format=csv "$1" 2>/dev/null | awk -F, '$2 == "main" && $3 == "" { print $5 }'
}

# predicted NAME RECORDED CHANGED [OPTION...]: CHANGED and RECORDED are arguments; ON2 and ON1 come before them
predicted() {
	local name=$1 recorded=$2 changed=$3 is began took around
	shift 3
	[ "$recorded" = "$last" ] || record_fastest "$work/run" $recorded_on "$work/recorded" $recorded
	last=$recorded
	rm -rf "$work/predicted"
	began=$(date +%s%N)
	ask_whatif "$@" -o "$work/predicted" "$work/run"
	took=$(($(date +%s%N) - began))
	is=$(fastest $changed_on "$work/plain" $changed)
	around=0
	[ -z "$answer" ] || around=$(echo "$answer $(main_of "$work/predicted")" | awk '{ printf "%.0f", $4 - $7 }')
	log_prediction "$name" "$is" "$around"
	prediction_row "whatif $name" "; answered in $((took / 1000000)) ms"
}
probes=functions,threads,scheduler
last='' recorded_on='' changed_on=''
predicted 'parallel part half as fast' 'amdahl 100000 100000' 'amdahl 100000 200000' --speed parallel=0.5
predicted 'parallel part twice as fast' 'amdahl 100000 100000' 'amdahl 100000 50000' --speed parallel=2
predicted 'parallel part four times as fast' 'amdahl 100000 100000' 'amdahl 100000 25000' --speed parallel=4
predicted 'parallel part gone' 'amdahl 100000 100000' 'amdahl 100000 0' --speed parallel=inf
changed_on='taskset -c 0'
predicted 'on one processor' 'amdahl 100000 100000' 'amdahl 100000 100000' --cores 1
changed_on='' recorded_on='taskset -c 0' last=''
predicted 'recorded on one processor, on two' 'amdahl 100000 100000' 'amdahl 100000 100000' --cores 2
recorded_on='' last=''
predicted 'critical section twice as fast' 'lock 50 200' 'lock 50 100' --speed inside=2
predicted 'no lock' 'lock 50 200' 'lock 50 200 free' --lock '*=none'
predicted 'one of two hot locks removed' 'locks 50 200' 'locks 50 200 free' --lock 'first=none'
predicted 'second stage twice as fast' 'pipeline 100 300' 'pipeline 100 150' --speed consume=2
predicted 'load() twice as slow' 'load 40' 'load 80' --speed load=0.5
predicted 'load() five times as slow' 'load 40' 'load 200' --speed load=0.2
predicted 'two functions twice and four times as fast' 'amdahl 100000 100000' 'amdahl 50000 25000' --speed serial=2 --speed parallel=4
probes=$probes,io
predicted 'one lock of four files, one each' 'files 50 200' 'files 50 200 split' --lock '*=split=4 by fd'
if ${CC:-cc} -O1 -shared -fPIC -o "$work/slow_disk.so" "$src/bench/slow_disk.c" -ldl; then
	recorded_on="env LD_PRELOAD=$work/slow_disk.so SLOW_DISK_US=1000" changed_on="env LD_PRELOAD=$work/slow_disk.so SLOW_DISK_US=3000"
	predicted 'a disk a third as fast' 'disk 500 20' 'disk 500 20' --io Read=0.333333
	recorded_on='' changed_on=''
fi

# user_time PROGRAM...: of one processor, s
user_time() {
	( "$@" >/dev/null 2>&1; times ) | sed -n '2s/m/ /gp' | awk '{ sub("s", "", $2); print 60 * $1 + $2 }'
}
# Recorded at level 6 with the default probes; at level 1 its function is as much faster as one thread needs less time.
pigz_row() {
	command -v pigz >/dev/null || { echo 'bench: no row for levels of pigz: apt install pigz' >&2; return; }
	sh "$src/examples/pgz/make-input" "$work/input" 40 || exit 2
	faster=$(echo "$(user_time pigz -p 1 -6 -k -c "$work/input") $(user_time pigz -p 1 -1 -k -c "$work/input")" | awk '{ printf "%.3f", $1 / $2 }')
	for i in 1 2 3 4 5; do
		began=$(date +%s%N)
		"$build/glimpse" record -q -o "$work/pigz.$i" -- pigz -6 -k -f "$work/input" 2>/dev/null || exit 2
		echo "$(($(date +%s%N) - began)) $work/pigz.$i"
	done | sort -n | sed -n '3s/.* //p' >"$work/chosen"
	is=$(for _ in 1 2 3 4 5; do
		began=$(date +%s%N)
		pigz -1 -k -f "$work/input" || exit 2
		echo $(($(date +%s%N) - began))
	done | sort -n | sed -n 3p)
	ask_whatif --speed "deflate=$faster" "$(cat "$work/chosen")"
	log_prediction 'pigz -6 as -1' "$is"
	prediction_row 'whatif pigz -6 as -1' "; deflate() $faster times as fast"
}
pigz_row
sum_rows whatif
