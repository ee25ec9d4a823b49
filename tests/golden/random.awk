# A random specification, a program that logs each of its events, and the text of its log, worked out here again:
# -v seed=N; writes random.spec, random.c and random.expected.

function below(n) { return int(rand() * n) }

function letters(n,   text) {
	while (n-- > 0)
		text = text substr(alphabet, 1 + below(length(alphabet)), 1)
	return text
}

# A number's low bytes first, in words of four
function bytes(number, n,   text, i) {
	for (i = 0; i < n; i++) {
		text = text (i % 4 ? "" : " ") sprintf("%02x", number % 256)
		number = int(number / 256)
	}
	return text
}

# A string as logged: its length, its bytes, zeros
function logged(string,   text, i) {
	text = bytes(length(string), 4)
	for (i = 0; i < length(string) || i % 4; i++)
		text = text (i % 4 ? "" : " ") sprintf("%02x", code[substr(string, i + 1, 1)])
	return text
}

function comment(   text, n) {
	for (n = below(4); n > 0; n--)
		text = text "// " letters(below(70)) "\n"
	return text
}

function member(type, name, k,   value, address) {
	address = type ~ /code|object/
	value = type == "string" ? letters(below(30)) : sprintf("%.0f", below(type ~ /^u/ || address ? 4294967296 : 2147483648))
	members = members (k ? ", " : "") type " " name
	if (type == "string") {
		strings = strings logged(value)
		gsub(/[\\"?]/, "\\\\&", value)
		arguments = arguments (k ? ", \"" : "\"") value "\""
	} else {
		fixed = fixed bytes(value, type ~ /long|code$|object/ ? 8 : 4)
		arguments = arguments (k ? ", " : "") (address ? "(void *)(uintptr_t)" : "") value (type ~ /^u/ || address ? "u" : "")
	}
}

function event(i,   n, k) {
	members = arguments = fixed = strings = ""
	n = below(3) ? below(6) : below(15)
	for (k = 0; k < n; k++)
		member(types[1 + below(7)], names[1 + (k + i) % nnames], k)
	printf "%sevent E%d(%s);\n", comment(), i, members >"random.spec"
	printf "\tE%d_Stamp(%s);\n", i, arguments >"random.c"
	printf "E%d: id %d%s%s\n", i, 16 + i, fixed, strings >"random.expected"
}

BEGIN {
	srand(seed)
	for (i = 32; i < 127; i++) {
		code[sprintf("%c", i)] = i
		alphabet = alphabet sprintf("%c", i)
	}
	split("int uint long ulong string code object code32", types)
	nnames = split("slot slot_ code object s s_s s_s_ a at size text r value event string end a_rather_long_name_that_fills_lines", names)
	print "glimpse random" >"random.spec"
	print "#include \"random_glimpse.h\"\nint main(void)\n{" >"random.c"
	n = 1 + below(40)
	for (i = 0; i < n; i++)
		event(i)
	print "end" >"random.spec"
	print "\treturn 0;\n}" >"random.c"
}
