# reasons NAME SEED LENGTH [overlap]: makes a trace of states, and of waits that are nested, that overlap and that other
# threads end, with at most LENGTH ns between two events. If LENGTH is small, many events have the same time. The states
# of a thread follow each other; with "overlap" they are nested, too. Sourced.
reasons() {
	awk -v seed="$2" -v most="$3" -v overlap="$4" '
	function lot(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		short = " && %s.time - %s.time < " 4 * most
		print "spec reasons.spec <<\nglimpse reasons"
		print "event In;\nevent Block;\nevent Ask(object lock);\nevent Got(object lock);\nevent Free(object lock);"
		print "event Lie(int n);\nevent Rise(int n);\nevent Read(int n);\nevent Done(int n);\nevent Call(int n);\nevent Back(int n);"
		print "interval Running [ i:In -> b:Block ] where i.thread == b.thread = rectangle (kind \"state\", label \"running\");"
		print "interval Blocked [ b:Block -> i:In ] where b.thread == i.thread = rectangle (kind \"state\", label \"blocked\");"
		print "interval LockWait [ a:Ask -> g:Got ] where a.thread == g.thread && a.lock == g.lock" sprintf(short, "g", "a") " = rectangle (kind \"wait\", label \"lock\");"
		print "interval Hold [ g:Got -> f:Free ] where g.thread == f.thread && g.lock == f.lock = rectangle (kind \"hold\");"
		print "interval Sleep [ l:Lie -> r:Rise ] once where l.thread == r.thread" sprintf(short, "r", "l") " = rectangle (kind \"wait\", until \"a timer\");"
		print "interval Input [ d:Done <- r:Read ] where d.thread == r.thread" sprintf(short, "d", "r") " = rectangle (kind \"io\");"
		print "interval Nested [ c:Call -> b:Back ] nested where c.thread == b.thread" sprintf(short, "b", "c") " = rectangle (kind \"wait\");"
		print "interval Long [ c:Call -> r:Rise ] where c.thread == r.thread && c.n == r.n" sprintf(short, "r", "c") " = rectangle (kind \"wait\");"
		print "interval Across [ a:Ask -> f:Free ] where a.thread != f.thread && a.lock == f.lock = rectangle (kind \"wait\");"
		print "end reasons.\n>>"
		for (t = 0; t < 5; t++) {
			print "log " t " name=t" t
			time = 1000 + lot(50)
			running = 0
			for (i = 0; i < 400; i++) {
				time += lot(3) ? lot(most) : 0
				what = lot(12)
				if (what < 6) {
					running = overlap ? lot(2) : !running
					print time (running ? " In" : " Block")
				}
				else if (what == 6)
					print time " " substr("Ask  Got  Free ", 5 * lot(3) + 1, 5) " lock=" 256 * (1 + lot(2))
				else if (what == 7)
					print time " Lie n=" lot(3)
				else if (what == 8)
					print time " Rise n=" lot(3)
				else if (what == 9)
					print time (lot(2) ? " Read" : " Done") " n=" lot(3)
				else
					print time (lot(2) ? " Call" : " Back") " n=" lot(3)
			}
		}
	}' >"$1.recipe"
	"$BUILD/tests/trace/mklog" "$1.recipe" "$1"
}
