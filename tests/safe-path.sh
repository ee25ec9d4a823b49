# Sourced by ./check, in the checkout: where its path has characters that make or configure cannot stand, such as a
# space, the check goes on in a copy with a plain path, which is removed when all passed.

# plain_path PATH: whether make, configure and all that they run take it as it is
plain_path() {
	local LC_ALL=C
	[[ $1 != *[^A-Za-z0-9_./+@-]* ]]
}

check_in_copy() {
	local place=${TMPDIR:-/tmp} copy status=0
	plain_path "$place" || place=/var/tmp
	copy=$(TMPDIR=$place mktemp -d -t glimpse-check.XXXXXX)
	echo "make cannot build in '$PWD', for a character in it; the check goes on in a copy, $copy/checkout"
	mkdir "$copy/checkout"
	tar -cf - --exclude=./build . | tar -xf - -C "$copy/checkout"
	TMPDIR=$place "$copy/checkout/check" "$@" || status=$?
	if [ "$status" = 0 ]; then
		rm -rf "$copy"
	else
		echo "The check failed; its files are in $copy/checkout"
	fi
	exit "$status"
}

plain_path "$PWD" || check_in_copy "$@"
