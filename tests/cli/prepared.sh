# Log directories that somebody prepared. Sourced, in a directory for the test.
mklog=$BUILD/tests/trace/mklog

cat >good.recipe <<'END'
spec s.spec <<
glimpse s
event Begin(int n);
event End(int n);
interval Work [ b:Begin -> e:End ] Match;
assert Work: time < 1 s;
end
>>
process program=app pid=77 state=1
log 0
100 Begin n=1
200 End n=1
300 Begin n=2
400 End n=2
END

# fresh DIRECTORY...: a good log directory under each name
fresh() {
	local d
	for d; do
		rm -rf "$d"
		"$mklog" good.recipe "$d" || exit 99
	done
}

# status NUMBER COMMAND...: the command, within 20 seconds, must end with this; out and said have what it printed
status() {
	local wanted=$1 got
	shift
	timeout 20 "$@" >out 2>said </dev/null
	got=$?
	cat out said
	[ "$got" = "$wanted" ] || { echo "$*: exit status $got, not $wanted"; return 1; }
}

# says TEXT: one line of what was said has the text
says() {
	grep -qF -- "$1" said || { echo "nobody says: $1"; return 1; }
}

# patch FILE OFFSET BYTES: writes the bytes (as printf takes them) over what is there
patch() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
