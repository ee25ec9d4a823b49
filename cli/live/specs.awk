# Makes a C file with the specifications of probes, probes/NAME/NAME.spec, as texts.
function quoted(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\\n\""
}
BEGIN {
	print "#include \"cli/live/switching.h\"\n"
	print "const struct probe_spec probe_specs[] = {"
}
FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.spec$/, "", name)
	print "\t{\"" name "\","
}
{ print "\t" quoted($0) }
END {
	if (NR)
		print "\t},"
	print "\t{NULL, NULL},\n};"
}
