# Makes compile_commands.json of what `make -n V=1` prints. Variables: directory, the build directory.
# A command may go on in the next line, behind a backslash.

# json TEXT: as a string of JSON
function json(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\t/, " ", text)
	return "\"" text "\""
}

# is_file NAME: relative names are in the build directory
function is_file(name,    line, there)
{
	there = (getline line < name) >= 0
	close(name)
	return there
}

# located COMMAND: automake looks for some sources by `test -f 'FILE' || echo 'SOURCES/'`FILE
function located(command,    part, words)
{
	while (match(command, /`test -f '[^']*' \|\| echo '[^']*'`/)) {
		part = substr(command, RSTART, RLENGTH)
		split(part, words, "'")
		command = substr(command, 1, RSTART - 1) (is_file(words[2]) ? "" : words[4]) \
			substr(command, RSTART + RLENGTH)
	}
	return command
}

# entry COMMAND: prints one that compiles a file; others are passed over
function entry(command,    source, words, n)
{
	sub(/^.*libtool .*--mode=compile /, "", command)
	sub(/^.*depbase=`[^`]*`;/, "", command)
	sub(/[ \t]*&&.*$/, "", command)
	command = located(command)
	gsub(/[ \t]+/, " ", command)
	sub(/^ /, "", command)
	if (command !~ / -c -o [^ ]+ [^ ]+\.(c|cc|cpp)$/)
		return
	# What make keeps for itself is no option of the source.
	gsub(/ -M[DP]( |$)/, " ", command)
	gsub(/ -M[DP] /, " ", command)
	gsub(/ -M[TF] [^ ]+/, "", command)
	n = split(command, words, " ")
	source = words[n]
	if (source in done)
		return
	done[source] = 1
	printf "%s{\"directory\": %s, \"file\": %s,\n \"command\": %s}", entries++ ? ",\n" : "[\n", json(directory),
		json(source), json(command)
}

{
	whole = whole $0
	if (sub(/\\$/, " ", whole))
		next
	entry(whole)
	whole = ""
}

END {
	print (entries ? "\n]" : "[]")
}
