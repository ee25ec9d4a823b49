# The traces of which windows are compared, as arguments: all recipes; and many threads.
for recipe in "$SRC"/tests/viewers/gorge/*.recipe "$SRC/tests/viewers/gorge/bundles.txt"; do
	name=$(basename "${recipe%.*}")
	"$BUILD/tests/trace/mklog" "$recipe" "$name" && set -- "$@" "$name"
done
# Each of 80 threads sends to each of 81, twice in turns: more pairs than lines are drawn.
{
	sed -n '/^spec/,/^>>/p' "$SRC/tests/viewers/gorge/bundles.txt"
	for i in {0..79}; do printf '%s\n' "log $i" "repeat 162 $((1000 + 10 * i))+800 Sent n=$i+80"; done
	for i in {0..80}; do printf '%s\n' "log $((80 + i))" "repeat 160 $((1500 + 10 * i))+810 Got n=$i+81"; done
} >turns.recipe
"$BUILD/tests/trace/mklog" turns.recipe turns && set -- "$@" turns
# Threads by lot with calls, states and lives: bands of lanes, and groups. SEED=N repeats it.
export SEED="${SEED:-$RANDOM$RANDOM}"
awk -v seed="$SEED" '
	function lot(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		print "spec lanes.spec <<\nglimpse lanes"
		print "event Enter(int f);\nevent Leave(int f);\nevent In = x;\nevent Out;\nevent Block;\nevent Make(int child);\nevent Begin(int child);\nevent End;\nevent Wait(int n);\nevent Go(int n);"
		print "interval Call [ e:Enter -> l:Leave ] nested where e.thread == l.thread && e.f == l.f = rectangle (kind \"call\");"
		print "interval Stage [ e:Enter -> l:Leave ] where e.thread == l.thread && e.f == 0 && l.f == 1 = rectangle (kind \"call\");"
		print "interval Running [ i:In -> o:Out ] = rectangle (kind \"state\", label \"running\");"
		print "interval Ready [ o:Out -> i:In ] = rectangle (kind \"state\", label \"ready\");"
		print "interval Blocked [ b:Block -> i:In ] = rectangle (kind \"state\", label \"blocked\");"
		print "interval Life [ b:Begin -> e:End ] = rectangle (kind \"life\");"
		print "interval Spawn [ m:Make -> b:Begin ] Match = line (kind \"cause\");"
		print "interval Waits [ w:Wait -> g:Go ] where w.thread == g.thread && w.n == g.n = rectangle (kind \"wait\");"
		print "end lanes.\n>>"
		for (t = 0; t < 9; t++) {
			print "log " t " name=" (t ? (t % 2 ? "worker-" : "helper-") t : "main")
			time = 1000 + 500 * t
			print time " Begin child=" t
			if (t < 2)
				for (c = 1; c < 9; c++)
					if ((c < 5) == (t == 0))
						print time " Make child=" c
			depth = 0
			print time " In"
			for (i = 0; i < 300; i++) {
				time += lot(5) ? lot(2000) : lot(200000)
				what = lot(12)
				if (what < 4 && depth < 40) {
					f[depth++] = lot(4)
					print time " Enter f=" f[depth - 1]
				} else if (what < 8 && depth) {
					print time " Leave f=" f[--depth]
				} else if (what == 8) {
					print time " Out"
					time += lot(4) ? lot(3000) : 0
					print time " In"
				} else if (what == 9) {
					print time " Out"
					print time " Block"
					time += lot(4) ? lot(3000) : 0
					print time " In"
				} else if (what == 10) {
					print time " Wait n=" lot(3)
				} else {
					print time " Go n=" lot(3)
				}
			}
			print time " Out"
			print time + 1 " End"
		}
	}' >lanes.recipe
"$BUILD/tests/trace/mklog" lanes.recipe lanes && set -- "$@" lanes
# What explains blocked states.
. "$SRC/tests/viewers/gorge/reasons.sh"
for length in 2 30 5000; do
	reasons "reasons-$length" $((SEED + length)) "$length" && set -- "$@" "reasons-$length"
done
