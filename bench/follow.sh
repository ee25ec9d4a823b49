# What a step of gorge --follow costs: see follow.c. A row for bench/run. FOLLOW_EVENTS: 10 million.

. "${src:?set by bench/run}/bench/script.sh"
need_programs bench/merge bench/follow
work_directory follow
"$build/bench/merge" "${FOLLOW_EVENTS:-10000000}" 16 "$work/run" || exit 0
mkdir "$work/part"
for file in "$work"/run/*; do
	case $file in */log.*) ;; *) cp "$file" "$work/part" ;; esac
done
"$build/bench/follow" "$work/run" "$work/part"
