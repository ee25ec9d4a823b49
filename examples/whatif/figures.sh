#!/bin/sh
# figures.sh RUN FACTOR: the pictures of README.md, of a run of pigz -9, into the working directory: its causal profile and, with
# node, chromium and chromedriver, gorge's page with the predicted run in which deflate is FACTOR times as fast.
set -eu
here=$(dirname "$0")
glimpse whatif "$1" --sweep best --top 4 --format=csv | nibble --sweep - -o profile.png
if command -v node >/dev/null && command -v chromedriver >/dev/null; then
	node "$here/page.js" "$(command -v gorge)" "$1" deflate "$2" page.png
fi
