#!/usr/bin/env python3
"""Checks which scripts of gorge's page use which; usage: page.py long | heads | upwards [--mend]

Each script is one global of its name. Its head names those that it uses: "/* uses: labels, view */". They are put together
in the order of assets.c. Prints
- long: "FILE N", how many lines are longer than 120 columns with tabs of 8
- heads: the files whose head names others than they use, with what it should be; --mend writes that
- upwards: "SCRIPT USED" where the one that is used comes later"""
import glob
import re
import sys
import textwrap

FOLDER = "viewers/gorge/page/"
# Two scripts are the global `server`: one asks a server, the other one the engine in the page.
GLOBAL = {"engine": "server"}


def names():
	"""All scripts, in their order; what answers the page comes first."""
	with open(FOLDER + "assets.c", encoding="utf-8") as file:
		source = file.read()
	lists = dict(re.findall(r"^ASSET\((\w+),(.*?)\);", source, re.M | re.S))
	return re.findall(r'"(\w+)\.js"', lists["local"] + lists["served"] + lists["scripts"])


def source(name):
	with open(FOLDER + name + ".js", encoding="utf-8") as file:
		return file.read()


def code(name):
	text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", source(name), flags=re.S)
	text = re.sub(r"`[^`$]*`", '""', text)
	return re.sub(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', '""', text)


def is_local(text, name):
	"""Whether a script has a variable, parameter or function of that name; then it means this one."""
	return re.search(rf"(?:const|let|function)\s+(?:\{{[^}}]*\b{name}\b[^}}]*\}}|\[[^]]*\b{name}\b[^]]*\]|{name}\b)"
			rf"|[(,]\s*{name}\s*(?:[,)]\s*(?:=>|\{{)|,\s*\w+\s*\))|\b{name}\s*=>|\b(?:let|const)\s[^;]*?\b{name}\s*=(?![=>])", text)


def uses(name, order):
	text, own = code(name), GLOBAL.get(name, name)
	return [g for g in dict.fromkeys(GLOBAL.get(n, n) for n in order)
			if g != own and re.search(rf"(?<![.\w$]){g}\b(?!\s*:)", text) and not is_local(text, g)]


def heads(order, mend):
	for name in order:
		text = source(name)
		line = "/* uses: " + (", ".join(uses(name, order)) or "none") + " */"
		line = textwrap.fill(line, width=100, subsequent_indent=" * ") + "\n"
		found = re.search(r"^/\* uses: .*?\*/\n", text, re.M | re.S)
		if found and found[0] == line:
			continue
		if mend:
			at = found.start() if found else re.match(r"/\*.*?\*/\n", text, re.S).end()
			with open(FOLDER + name + ".js", "w", encoding="utf-8") as file:
				file.write(text[:at] + line + text[found.end() if found else at:])
		else:
			print(f"{FOLDER}{name}.js: {' '.join(line.split())}")


def main():
	what, order = sys.argv[1], names()
	if what == "heads":
		heads(order, "--mend" in sys.argv)
	elif what == "upwards":
		for i, name in enumerate(order):
			later = {GLOBAL.get(n, n) for n in order[i + 1:]} - {GLOBAL.get(n, n) for n in order[:i]}
			for used in uses(name, order):
				if used in later:
					print(name, used)
	else:
		for path in sorted(glob.glob(FOLDER + "*.js")):
			with open(path, encoding="utf-8") as file:
				n = sum(len(line.rstrip("\n").expandtabs(8)) > 120 for line in file)
			if n:
				print(path, n)


main()
