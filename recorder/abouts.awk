# Makes the C table of what NAME/NAME.about, in probes or recorder, say, for `glimpse record --probes list`.
BEGIN {
	print "#include \"recorder/probes.h\"\n"
	print "const struct probe_about probe_abouts[] = {"
}
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.about$/, "", name)
	printf "%s\t{\"%s\",", begun++ ? "},\n" : "", name
}
{
	gsub(/[\\"]/, "\\\\&")
	printf "\n\t \"%s\\n\"", $0
}
END {
	if (begun)
		print "},"
	print "\t{NULL, NULL},\n};"
}
