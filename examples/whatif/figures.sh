#!/bin/sh
# figures.sh RUN FACTOR: the pictures of README.md, of a run of pigz -9, into the working directory: its causal profile and
# gorge's page with the predicted run, in which deflate is FACTOR times as fast. The page needs node, chromium and chromedriver,
# and lies in the sources: page.js drives the browser as the tests do.
set -eu
here=$(dirname "$0")
glimpse whatif "$1" --sweep best --top 4 --format=csv | nibble --sweep - -o profile.png

for needed in node chromium chromedriver; do
	command -v $needed >/dev/null || exit 0
done
[ ! -f "$here/../../tests/viewers/webdriver.js" ] || node "$here/page.js" "$(command -v gorge)" "$1" deflate "$2" page.png
