# Row: how long glimpse locks takes on 100 million events.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse glimpsec
work_directory locks-table

cp "$src/bench/locks-table.spec" "$work/held.spec"
(cd "$work" && "$build/glimpsec" held.spec 2>/dev/null) &&
	${CC:-cc} -O2 -o "$work/made" "$src/bench/locks-table.c" "$work/held_glimpse.c" -I"$work" -I"$build" -I"$src/runtime" \
		-L"$build/.libs" -lglimpse -Wl,-rpath,"$build/.libs" -lpthread && GLIMPSE_DIR=$work/run "$work/made" 100000000 || exit 2
began=$(date +%s%N)
"$build/glimpse" locks --format=csv "$work/run" >/dev/null || exit 2
echo "$began $(date +%s%N)" |
	awk '{ printf "glimpse locks, 100 million events, s\t%.1f\t<= 3\t4 threads, 64 locks; one in 32 was busy\n", ($2 - $1) / 1e9 }'
