#!/usr/bin/env python3
"""Prints each function that a header declares and that no other file uses, as "NAME HEADER".

It may be dead, or used in its own file only: then it can be static. A use in tests/ counts only if its own file uses the
function, too: a function for tests alone is no part of the product."""
import collections
import re
import subprocess

# What programs call, which are not here; and what another library defines.
OUTER = ("runtime/glimpse.h", "probes/openmp/gomp_prototypes.h")
HEAD = r"^(?!static|typedef|return|else)[A-Za-z_][\w \t*]*?[ *](\w+)\([^;{}]*\)"
DECLARATION = re.compile(HEAD + r"[^;{}()]*(?:__attribute__\(\(.*?\)\)\s*)*;", re.M | re.S)
DEFINITION = re.compile(HEAD + r"\s*\{", re.M | re.S)


def code(path):
	"""A source without its comments, strings and includes."""
	with open(path, encoding="utf-8", errors="replace") as file:
		source = file.read()
	return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|^\s*#\s*include.*?$', " ", source, flags=re.S | re.M)


def main():
	listed = subprocess.run(["git", "ls-files", "*.[chly]", "*.cpp"], stdout=subprocess.PIPE, check=True, text=True)
	sources = {f: code(f) for f in listed.stdout.splitlines() if not f.startswith("doc/")}
	uses = collections.defaultdict(dict)
	for path, source in sources.items():
		for name, n in collections.Counter(re.findall(r"\w+", source)).items():
			uses[name][path] = n
	defined = {path: set(DEFINITION.findall(source)) for path, source in sources.items()}
	for path, source in sources.items():
		if not path.endswith(".h") or path in OUTER or path.startswith("tests/"):
			continue
		for name in DECLARATION.findall(source):
			others = {f for f, n in uses[name].items() if name not in defined[f] and n > (f == path)}
			inside = any(name in defined[f] and n > 1 for f, n in uses[name].items())
			if not any(inside or not f.startswith("tests/") for f in others):
				print(name, path)


main()
