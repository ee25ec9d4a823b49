# What the tests of exported tables share: a random trace. Sourced.
. "$SRC/tests/docs/tap.sh"
need glimpse python3
working_directory
export PATH="$BUILD:$PATH" LC_ALL=C.UTF-8
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
tables=$SRC/tests/formats/tables.py
python3 "$tables" make "$seed" && "$BUILD/tests/trace/mklog" random.recipe run || exit 1

# python_packages PACKAGE==VERSION...: into $PYTHONPATH, once for the build tree; fails, and says why, if they cannot be had
python_packages() {
	local folder=$BUILD/python-packages package
	mkdir -p "$folder"
	export PYTHONPATH=$folder${PYTHONPATH:+:$PYTHONPATH}
	for package; do
		[ -d "$folder/${package%%==*}-${package##*==}.dist-info" ] ||
			timeout 120 python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: \
				--target "$folder" "$package" >pip.log 2>&1 || {
			echo "pip cannot install $package: $(tail -n 1 pip.log)"
			return 1
		}
	done
}

# export_of FORMAT PATH: exports the random trace, and says what glimpse warns of
export_of() {
	timeout 60 glimpse export run --format="$1" -o "$2"
}

# record_sort: records sort with two threads to rec, and counts its events in rec.count; skips the test NAME if it cannot
record_sort() {
	if [[ $TEST_CFLAGS == *-fsanitize=* ]]; then
		skip "$1" 'libraries with sanitizers cannot be preloaded into programs without'
		return 1
	fi
	seq 200000 | shuf >numbers
	timeout 60 glimpse record -q -o rec -- sort -n --parallel=2 -o sorted numbers || {
		report 1 "$1"
		return 1
	}
	glimpse events rec --format=csv | tail -n +2 | wc -l >rec.count
}
