# Engines from the Python package registry: DuckDB, and PySpark with Spark in it. Sourced, after docs/tap.sh.

# python_engines: puts them into $PYTHONPATH; fails, and says why, if they cannot be had. Spark needs 345 MB, so that all tests
# share one directory of the build, which the first of them makes.
python_engines() {
	local folder=$BUILD/tests/sql/python wanted=(duckdb==1.3.2 pyspark==3.5.5 py4j==0.10.9.7) package missing=()
	mkdir -p "$folder"
	export PYTHONPATH=$folder${PYTHONPATH:+:$PYTHONPATH}
	exec {python_engines_lock}>"$folder/.lock"
	flock -w 600 "$python_engines_lock" || {
		echo 'another test installs Python packages for too long'
		return 1
	}
	for package in "${wanted[@]}"; do
		[ -d "$folder/${package%%==*}-${package##*==}.dist-info" ] || missing+=("$package")
	done
	# pip makes a wheel of PySpark, whose sources are its programs.
	[ ${#missing[@]} = 0 ] ||
		timeout 590 python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade \
			--target "$folder" "${missing[@]}" >"$folder/pip.log" 2>&1 || {
		echo "pip cannot install ${missing[*]}: $(tail -n 1 "$folder/pip.log")"
		exec {python_engines_lock}>&-
		return 1
	}
	exec {python_engines_lock}>&-
}
