# A specification of 300 events with up to 12 attributes: -v what=spec, its program (what=program), and the text of
# its log (what=log).

function type(k) { return k % 3 == 2 ? "long" : k % 3 == 1 ? "uint" : "int" }
function value(i, k) { return i * 100 + k }

# A number's low bytes first, n of them
function bytes(number, n,   text) {
	for (; n > 0; n--) {
		text = text sprintf("%02x", number % 256)
		number = int(number / 256)
	}
	return text
}

function event(i,   k, text) {
	text = "event Event" i "("
	for (k = 0; k < i % 13; k++)
		text = text (k ? ", " : "") type(k) " attribute" k
	return text ");"
}

function call(i,   k, text) {
	text = "\tEvent" i "_Stamp("
	for (k = 0; k < i % 13; k++)
		text = text (k ? ", " : "") value(i, k)
	return text ");"
}

function record(i,   k, text) {
	text = "Event" i ": id " 16 + i
	for (k = 0; k < i % 13; k++)
		text = text " " bytes(value(i, k), 4) (type(k) == "long" ? " 00000000" : "")
	return text
}

BEGIN {
	if (what == "spec")
		print "glimpse big"
	if (what == "program")
		print "#include \"big_glimpse.h\"\nint main(void)\n{"
	for (i = 0; i < 300; i++)
		print what == "spec" ? event(i) : what == "program" ? call(i) : record(i)
	if (what == "spec")
		print "end"
	if (what == "program")
		print "\treturn 0;\n}"
}
