# The traces of which windows are compared, as arguments: all recipes; and many threads.
for recipe in "$SRC"/tests/viewers/gorge/*.recipe "$SRC/tests/viewers/gorge/bundles.txt"; do
	name=$(basename "${recipe%.*}")
	"$BUILD/tests/trace/mklog" "$recipe" "$name" && set -- "$@" "$name"
done
# Each of 80 threads sends to each of 81, four times in turns: more pairs than lines are drawn.
{
	sed -n '/^spec/,/^>>/p' "$SRC/tests/viewers/gorge/bundles.txt"
	for i in {0..79}; do printf '%s\n' "log $i" "repeat 324 $((1000 + 10 * i))+800 Sent n=$i+80"; done
	for i in {0..80}; do printf '%s\n' "log $((80 + i))" "repeat 320 $((1500 + 10 * i))+810 Got n=$i+81"; done
} >turns.recipe
"$BUILD/tests/trace/mklog" turns.recipe turns && set -- "$@" turns
