# From the text of `glimpse events`: fails, and says where, if two threads have a processor at the same time or
# threads run for more time than the processors have.
function ns(t) { return sprintf("%.0f", t * 1e9) + 0 }
function wrong(text) { if (wrongs++ < 5) print text }
{ time = ns($1); thread = $2 }
$3 == "SwitchIn" {
	processor = $4
	# events of one time come in any order: the one before may leave now
	if (holder[processor] != "" && holder[processor] != thread) {
		ousted[holder[processor]] = time
		by[holder[processor]] = thread
	}
	holder[processor] = thread; held[processor] = 1
	begun[thread] = time; on[thread] = processor
	if (first == "") first = time
}
$3 == "SwitchOut" {
	if (on[thread] != "") running += time - begun[thread]
	if (ousted[thread] != "" && ousted[thread] < time)
		wrong(thread " has " on[thread] " until " time " ns, " by[thread] " since " ousted[thread])
	delete ousted[thread]
	if (holder[on[thread]] == thread) holder[on[thread]] = ""
	on[thread] = ""; last = time
}
END {
	for (processor in held) processors++
	if (running > processors * (last - first)) wrong("running for " running " ns, of " processors " times " last - first)
	exit wrongs > 0 || running == 0
}
