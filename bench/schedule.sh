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
	ask_whatif "$@" "$work/run"
	took=$(($(date +%s%N) - began))
	is=$(fastest $command)
	log_prediction "$name" "$is" $((${answer%% *} - said))
	prediction_row "$name" "; answered in $((took / 1000000)) ms"
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
sum_rows schedule schedule

arguments=${SCHEDULE_POOL:-200 400}
probes=threads,scheduler
record_fastest "$work/run" "$work/pool" 2 $arguments
for workers in 1 2 3 4 5 6 7 8; do
	predicted "pool of $workers workers" "$work/pool $workers $arguments" --threads "worker=$workers"
done
sum_rows pool threads
