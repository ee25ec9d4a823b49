"""usage: knots.py SRC BUILD KNOWN: finds the files that call each other in circles, as the linker sees them.

A knot is a set of files of one top folder: from each of them there is a way to all others. KNOWN has a knot a line. Prints
"new: FILE..." for each knot that is in no line, and "less: FILE..." for each line that is no knot any more."""
import collections
import os
import re
import subprocess
import sys

FOLDERS = ("base", "grammar", "spec", "codegen", "trace", "match", "analysis", "sql", "formats", "recorder", "cli", "viewers",
	"runtime")


def source_of(path):
	"""The source of an object without its suffix; libtool and automake put folders and prefixes into the name."""
	folder, name = os.path.split(path)
	return os.path.join(re.sub(r"/\.libs$", "", folder), re.sub(r"^\w+-|\.o$", "", name))


def objects(src, build, folder):
	for place, _, names in os.walk(os.path.join(build, folder)):
		for name in names:
			path = os.path.join(place, name)
			source = os.path.relpath(source_of(path), build)
			if name.endswith(".o") and any(os.path.exists(os.path.join(base, source + end))
					for base in (src, build) for end in (".c", ".y", ".l")):
				yield path, source


def calls(src, build, folder):
	"""By file: the files whose symbols it uses."""
	sources = dict(objects(src, build, folder))
	home, uses = collections.defaultdict(set), []
	said = subprocess.run(["nm", "-A", "-P", *sources], stdout=subprocess.PIPE, text=True, check=True).stdout if sources else ""
	for line in said.splitlines():
		path, symbol, kind = re.match(r"(.*?):? (\S+) (\S)", line).groups()
		if kind == "U":
			uses.append((sources[path], symbol))
		elif kind in "TDBRCVW":
			home[symbol].add(sources[path])
	graph = collections.defaultdict(set)
	for source, symbol in uses:
		graph[source] |= home[symbol] - {source}
	# It runs the path of an event as a program does.
	graph["runtime/cost"].discard("runtime/event")
	return graph


def reached(graph, start):
	found, left = set(), [start]
	while left:
		for other in graph[left.pop()] - found:
			found.add(other)
			left.append(other)
	return found


def knots_of(graph):
	ways = {source: reached(graph, source) for source in list(graph)}
	return {tuple(sorted(o for o in way if source in ways.get(o, ()))) for source, way in ways.items() if source in way}


def main():
	src, build, known = sys.argv[1:4]
	with open(known, encoding="utf-8") as file:
		known = [tuple(line.split()) for line in file if line.strip() and not line.startswith("#")]
	found, built = set(), set()
	for folder in FOLDERS:
		found |= knots_of(calls(src, build, folder))
		built |= {source for _, source in objects(src, build, folder)}
	for knot in sorted(found):
		if not any(set(knot) <= set(k) for k in known):
			print("new:", *knot)
	for knot in known:
		# What a build without some library lacks cannot be seen.
		if set(knot) <= built and knot not in found:
			print("less:", *knot)


main()
