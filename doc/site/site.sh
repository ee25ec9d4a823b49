#!/usr/bin/env bash
# Writes the documents of a source tree as a web site: site.sh SOURCES SITE VERSION (make site runs it).
#
# A page keeps the place of its document, so links between documents keep their meaning: doc/why.md becomes
# doc/why.html, doc/man/gorge.1 becomes doc/man/gorge.1.html. Files that a page links to are copied.
set -euo pipefail
case ${1:-} in
'' | --help)
	sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
for tool in pandoc mandoc; do
	command -v "$tool" >/dev/null || {
		echo "make site: $tool is missing; install it with ./setup site" >&2
		exit 1
	}
done
mkdir -p "$2"
SRC=$(cd "$1" && pwd) site=$(cd "$2" && pwd) version=$3
# A site that is already there is replaced, and nothing else.
if [ -n "$(ls -A "$site")" ] && [ ! -e "$site/style.css" ]; then
	echo "make site: $2 has files of something else; name an empty folder" >&2
	exit 1
fi
rm -rf "${site:?}"/*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SRC"
templates=doc/site

# files PATTERN...: the files of the sources, in a checkout and in an unpacked tarball
files() {
	if [ -e .git ]; then
		git ls-files -- "$@"
	else
		local pattern
		for pattern; do
			find . -path "./$pattern" ! -path './build*' ! -path './_*' | sed 's|^\./||'
		done
	fi | sort
}

# up FILE: the way from a page to the first page, such as ../../
up() {
	local folder=${1%/*}
	[ "$folder" != "$1" ] || return 0
	sed 's|[^/]*|..|g; s|$|/|' <<<"$folder"
}

# page TARGET TITLE: puts the HTML on standard input into the frame that all pages share
page() {
	mkdir -p "$site/$(dirname "$1")"
	local root body
	root=$(up "$1")
	body=$work/body
	cat >"$body"
	awk -v root="$root" -v title="$2" -v version="$version" -v body="$body" '
		BEGIN { gsub(/&/, "\\\\&", title) } # in a replacement, & is what was found
		/^@BODY@$/ { while ((getline line <body) > 0) print line; next }
		{ gsub(/@ROOT@/, root); gsub(/@TITLE@/, title); gsub(/@VERSION@/, version); print }
	' $templates/page.html >"$site/$1"
}

# document FILE TARGET [FOLDER]: a page from Markdown, whose links are relative to its own folder or this one
document() {
	local title
	title=$(sed -n '/^# /{s/^# //p;q}' "$1" | tr -d '`' | sed 's/&/\&amp;/g; s/</\&lt;/g')
	SITE_FOLDER=${3:-$(dirname "$1")} SITE_LINKED=$work/linked pandoc -f gfm -t html5 --wrap=preserve --no-highlight \
		--lua-filter $templates/links.lua "$1" >"$work/html"
	page "$2" "${title:-Glimpse}" <"$work/html"
}

# manual FILE TARGET: a page from a man page; NAME(SECTION) is a link where that page is here
manual() {
	local links
	links=$(files 'doc/man/*' | sed -E 's|^doc/man/(.*)\.([0-9])$|s,<b>\1</b>(\&nbsp;)?\\(\2\\),<a href="\1.\2.html">\1(\2)</a>,g|')
	mandoc -T html -O fragment,toc "$1" >"$work/html"
	sed -E "$links" "$work/html" >"$work/linked.html"
	page "$2" "$(basename "${1%.*}")(${1##*.})" <"$work/linked.html"
}

# copied: the files that pages name, pictures above all
copied() {
	local file
	sort -u "$work/linked" | while IFS= read -r file; do
		file=$(realpath --relative-to=. "$file")
		[[ $file != ../* ]] || continue
		mkdir -p "$site/$(dirname "$file")"
		cp "$file" "$site/$file"
	done
}

# folders: a page that leads to the README of each folder
folders() {
	local file
	echo '# The source, folder by folder'
	echo
	while IFS= read -r file; do
		[ "$file" = README.md ] || echo "- [$(dirname "$file")]($file): $(sed -n '/^# /{s/^# //; s/^[^:]*: //; p; q}' "$file")"
	done < <(files '*README.md')
}

: >"$work/linked"
folders >"$work/folders.md"
document "$work/folders.md" folders.html .
document $templates/index.md index.html .
while IFS= read -r file; do
	[ "$file" = $templates/index.md ] || document "$file" "${file%.md}.html"
done < <(files '*.md')
while IFS= read -r file; do
	manual "$file" "$file.html"
done < <(files 'doc/man/*')
cp $templates/style.css "$site"
copied
