# Sets python to one that has Perfetto's messages, in a directory of the build, so that they are fetched once. Skips the test
# where they cannot be had. Sourced, after tap.sh.
version=0.59.1
packages=$BUILD/tests/formats/perfetto-$version
if [ ! -e "$packages/complete" ]; then
	rm -rf "$packages" && timeout 120 python3 -m venv "$packages" >said 2>&1 &&
		timeout 120 "$packages/bin/pip" install -q --disable-pip-version-check "perfetto==$version" "protobuf==7.36.2" \
			>said 2>&1 && touch "$packages/complete" || {
		echo "1..0 # SKIP there is no package perfetto: $(tail -n 1 said)"
		exit 0
	}
fi
export python=$packages/bin/python
