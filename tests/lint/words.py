#!/usr/bin/env python3
"""Finds constructions that must be read twice, and sentences of more than 35 words.

usage: words.py [--count] [FILE...]

It reads documents (Markdown, man pages), the comments of C and JavaScript, and the strings of programs and specifications;
without FILE all that git has. It prints "FILE:LINE: reason: text" for each finding; with --count "FILE N" for each file
with findings. Code, commands and quoted source in documents do not count."""
import re
import subprocess
import sys

LONGEST = 35
FORBIDDEN = [
	r"\bof which\b",
	r"\b(?:is|are|was|were) none of\b",
	r"\bit is otherwise\b",
	r"\bthere (?:is|are|was|were) none (?:that|which|of)\b",
	r"\bwhat (?:is|are|was|were) \w+ of\b",
	r"\bof those (?:that|who|which)\b",
	r"\bmend(?:s|ed|ing)?\b",
	r"\b(?:given|gives?|giving) back\b",
	r"\bone's own\b",
	r"\bthe begin of\b",
	r"\bin the mean\b",
	r"\bso (?:many|long) at\b",
	r"\bof whom\b",
]
PATTERN = re.compile("|".join(FORBIDDEN), re.I)
# A heading or a question may begin so, a comment not.
COMMENT_PATTERN = re.compile("|".join(FORBIDDEN + ["(?-i:^What )"]), re.I)
PROGRAMS = ("base", "grammar", "spec", "codegen", "trace", "match", "analysis", "cli", "formats", "sql", "recorder",
	"probes", "runtime", "viewers")


def files():
	said = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, check=True, text=True).stdout
	return [f for f in said.splitlines() if readers(f)]


def readers(path):
	"""The functions that read texts from a file."""
	name = path.rsplit("/", 1)[-1]
	if path.startswith(("tests/golden/", "../")):
		return []
	if name.endswith(".md"):
		return [markdown]
	if path.startswith("doc/man/"):
		return [manual]
	if path.split("/")[0] not in PROGRAMS:
		return []
	if name.endswith(".h"):
		return [comments]
	if name.endswith(".c"):
		return [comments, strings]
	if name.endswith((".spec", ".y", ".l")):
		return [strings]
	if name.endswith(".js") and path.startswith("viewers/"):
		return [comments, page]
	if name.endswith(".html") and path.startswith("viewers/"):
		return [page]
	return []


# ---- texts of a file: pairs of a line and what is written from there on ----

def paragraphs(lines):
	"""Joins lines up to an empty one, or to one that begins something new."""
	start, text = 0, []
	for number, line in lines:
		if not line.strip() or re.match(r"\s*([-*+]|\d+\.)\s", line) or line.startswith("#"):
			if text:
				yield start, " ".join(text)
			text = []
		if line.strip():
			if not text:
				start = number
			text.append(line.strip())
	if text:
		yield start, " ".join(text)


def plain(text):
	"""Markdown without its marks: code is one word."""
	text = re.sub(r"!\[([^]]*)\]\([^)]*\)", r"\1.", text)
	text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
	text = re.sub(r"``?[^`]+``?", "CODE", text)
	return re.sub(r"^\s*(?:[-*+]|\d+\.|#+)\s+|\*\*", "", text)


def markdown(source):
	prose, fenced = [], False
	for number, line in enumerate(source.splitlines(), 1):
		fenced ^= line.lstrip().startswith("```")
		if fenced or line.startswith(("    ", "\t", "```")) and not re.match(r"\s+([-*+]|\d+\.)\s", line):
			prose.append((number, ""))
		elif line.startswith("|"):
			prose.append((number, ""))
			for cell in line.strip("|").split("|"):
				yield number, plain(cell)
		else:
			prose.append((number, line))
	for number, text in paragraphs(prose):
		yield number, plain(text)


def manual(source):
	lines, literal = [], False
	for number, line in enumerate(source.splitlines(), 1):
		macro = re.match(r"[.'](\w+)\s*(.*)", line)
		if macro and macro[1] in ("nf", "EX"):
			literal = True
		if macro and macro[1] in ("fi", "EE"):
			literal = False
		if macro and macro[1] in ("B", "I", "BR", "IR", "RB", "RI", "BI", "IB"):
			glue = " " if len(macro[1]) == 1 else ""
			line = glue.join(re.findall(r'"[^"]*"|\S+', macro[2])).replace('"', "")
		elif line.startswith((".", "'")) or literal:
			line = ""
		line = re.sub(r"\\f.|\\&", "", line).replace("\\-", "-").replace("\\(aq", "'")
		lines.append((number, line.lstrip("-*+ ") if line else ""))
	return paragraphs(lines)


def comments(source):
	quoted = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
	for found in re.finditer(quoted + r"|/\*(.*?)\*/", source, re.S):
		if found[1]:
			first = source.count("\n", 0, found.start()) + 1
			lines = []
			for i, line in enumerate(found[1].split("\n")):
				line = re.sub(r"^\s*\* ?", "", line) if i else line
				lines.append((first + i, "" if line.startswith("\t") else line))
			yield from paragraphs(lines)


def strings(source):
	source = re.sub(r"/\*.*?\*/|^\s*#\s*include.*$", lambda m: "\n" * m[0].count("\n"), source, flags=re.S | re.M)
	literal = r'"(?:[^"\\\n]|\\.)*"'
	for found in re.finditer(literal + r"(?:\s*(?:PRI\w+\s*)?" + literal + ")*", source):
		text = "".join(s[1:-1] for s in re.findall(literal, found[0]))
		number = source.count("\n", 0, found.start()) + 1
		for part in re.split(r"(?:\\n)(?:\s*\\n|(?=\s{2,}))|\\t|\s{2,}", text):
			yield number, part.replace("\\n", " ").replace('\\"', '"')


def page(source):
	for found in re.finditer(r"'(?:[^'\\\n]|\\.)*'|`[^`]*`|\"(?:[^\"\\\n]|\\.)*\"|>[^<>{}]+<", source):
		text = re.sub(r"\$\{[^}]*\}|<[^>]*>", "X", found[0][1:-1])
		yield source.count("\n", 0, found.start()) + 1, text


# ---- findings ----

def sentences(text):
	return re.split(r"(?<=[.!?])[\"')]*\s+(?=[\"'(*A-Z0-9`-])|(?<=[:;])\s+(?=[A-Z])", text)


def findings(path):
	with open(path, encoding="utf-8", errors="replace") as file:
		source = file.read()
	for reader, number, text in ((r, n, t) for r in readers(path) for n, t in r(source)):
		for found in (COMMENT_PATTERN if reader is comments else PATTERN).finditer(text):
			yield number, "'" + found[0] + "'", text[max(0, found.start() - 40):found.end() + 40]
		for sentence in sentences(text):
			words = re.findall(r"[^\W\d_][\w'-]*", sentence)
			if len(words) > LONGEST:
				yield number, f"{len(words)} words", " ".join(sentence.split()[:12]) + " ..."


def main():
	count = "--count" in sys.argv[1:]
	for path in [a for a in sys.argv[1:] if not a.startswith("--")] or files():
		found = list(findings(path))
		if count and found:
			print(path, len(found))
		for number, reason, text in [] if count else found:
			print(f"{path}:{number}: {reason}: {' '.join(text.split())}")


main()
