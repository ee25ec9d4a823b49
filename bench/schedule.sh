# Rows: what glimpse whatif predicts of loops in other schedules and of pools of other sizes, and how much that is off.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory schedule
repeats=${SCHEDULE_REPEATS:-15}
${CC:-cc} -O1 -g -fopenmp -o "$work/loop" "$src/bench/schedule.c" &&
	${CC:-cc} -O1 -g -o "$work/pool" "$src/bench/pool.c" -lpthread || exit 2

# predicted NAME COMMAND OPTION...: COMMAND is the changed program; it takes as long as the recorded one but for what is predicted
predicted() {
	local name=$1 command=$2 is began took
	shift 2
	began=$(date +%s%N)
	"$build/glimpse" whatif --format=csv "$@" "$work/run" >"$work/answer" 2>"$work/errors" || { cat "$work/errors" >&2; exit 2; }
	took=$(($(date +%s%N) - began))
	is=$(fastest $command)
	tail -n 1 "$work/answer" | awk -F, -v is="$is" -v said="$said" -v took="$took" -v name="$name" -v misses="$work/misses" '{
		time = said + $4 - $2
		printf "%s: off by, %%\t%.1f\t<= 10\t%.1f ms predicted (%.1f to %.1f), %.1f ms it is; answered in %.0f ms\n",
			name, 100 * (time - is) / is, time / 1e6, (said + $5 - $2) / 1e6, (said + $6 - $2) / 1e6, is / 1e6, took / 1e6
		held = is >= said + $5 - $2 && is <= said + $6 - $2
		printf("%.1f %d\n", 100 * (time - is > 0 ? time - is : is - time) / is, held) >>misses }'
}
# median NAME: of all rows before it
median() {
	sort -n "$work/misses" | awk -v name="$1" '{ miss[NR] = $1; held += $2 }
		END {
			printf "%s: off by, of all in the median, %%\t%.1f\t<= 5\t\n", name, NR % 2 ? miss[(NR + 1) / 2] : (miss[NR / 2] + miss[NR / 2 + 1]) / 2
			printf "%s: the range holds the truth, %%\t%.0f\t>= 90\t%d of %d\n", name, 100 * held / NR, held, NR }'
	rm "$work/misses"
}

loop="$work/loop ${SCHEDULE_LOOP:-400 400}"
OMP_NUM_THREADS=2
export OMP_NUM_THREADS OMP_SCHEDULE
OMP_SCHEDULE=dynamic,4
probes=openmp,threads,scheduler
record_fastest "$work/run" $loop
for schedule in dynamic,1 dynamic,10 dynamic,100 dynamic,1000 static static,1 static,10 static,100 guided guided,10; do
	OMP_SCHEDULE=$schedule
	predicted "schedule $schedule" "$loop" --schedule "main*=$schedule"
done
median schedule

arguments=${SCHEDULE_POOL:-200 400}
probes=threads,scheduler
record_fastest "$work/run" "$work/pool" 2 $arguments
for workers in 1 2 3 4 5 6 7 8; do
	predicted "pool of $workers workers" "$work/pool $workers $arguments" --threads "worker=$workers"
done
median pool
