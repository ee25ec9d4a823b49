# What a document of gorge with a million events takes. Rows for bench/run.
. "${src:?set by bench/run}/bench/script.sh"
run=$BENCH_DIR/html file=$BENCH_DIR/view.html

LC_ALL=C
export LC_ALL
need_programs gorge bench/merge
"$build/bench/merge" 1000000 16 "$run" || exit 0
trap 'rm -rf "$run" "$file"' EXIT
begun=$(date +%s%N)
"$build/gorge" "$run" -o "$file" || exit 0
took=$(($(date +%s%N) - begun))
size=$(wc -c <"$file")
awk -v size="$size" -v took="$took" 'BEGIN {
	printf "gorge, html document of a million events, MB\t%.1f\t<=20\tall attributes, and instances of all intervals\n", size / 1e6
	printf "gorge, writing that document, s\t%.2f\t-\t\n", took / 1e9
}'
