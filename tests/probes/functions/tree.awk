# tree.awk SYMBOLS EVENTS: who called whom, and how often: of the output of nm -C and of glimpse events
# --format=csv. A Leave must be that of the newest open Enter of its thread and stack; what is open at the end is
# printed.
function name_of(attributes,   name) {
	name = attributes
	gsub(/"/, "", name)
	sub(/.*function=/, "", name)
	sub(/;.*/, "", name)
	if (name in symbols)
		name = symbols[name]
	sub(/\(.*/, "", name)
	sub(/[+ ].*/, "", name)
	sub(/^__work_MOD_/, "", name)
	return name
}
NR == FNR {
	address = $1
	sub(/^0*/, "0x", address)
	name = $0
	sub(/^[^ ]* . /, "", name)
	if ($2 ~ /[tTwW]/)
		symbols[address] = name
	next
}
{
	split($0, field, ",")
	thread = field[2] ":" stack[field[2]]
}
field[4] == "StackSwitched" {
	stack[field[2]] = $0
	sub(/.*stack=/, "", stack[field[2]])
	if (stack[field[2]] == 0)
		stack[field[2]] = ""
}
field[4] == "Enter" {
	name = name_of($0)
	count[(depth[thread] ? open[thread, depth[thread]] : "-") " " name]++
	open[thread, ++depth[thread]] = name
}
field[4] == "Leave" {
	name = name_of($0)
	if (open[thread, depth[thread]] != name)
		print "Leave of", name, "in", open[thread, depth[thread]]
	else
		depth[thread]--
}
END {
	for (c in count)
		print c, count[c]
	for (t in depth)
		for (i = 1; i <= depth[t]; i++)
			print "open", open[t, i]
}
