# Sourced by the tests of this folder: TAP, an empty working directory, and a JDK, or the test is skipped.

. "$SRC/tests/docs/tap.sh"

need java javac
unset GLIMPSE_DIR GLIMPSE_KEEP GLIMPSE_LOGS GLIMPSE_OFF
if [ ! -f "$BUILD/glimpse.jar" ]; then
	echo "1..0 # SKIP configured without a JDK"
	exit 0
fi
working_directory
# shellcheck disable=SC2034 # who sources this uses it
tests=$SRC/tests/java

# It would make each virtual machine say so.
unset JAVA_TOOL_OPTIONS

# A virtual machine that ends soon is not worth the second compiler, nor threads that collect garbage.
quickly='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
quick='-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC'

# compile CLASSES SOURCE...: for Java 17 without a warning
compile() {
	local classes=$1
	shift
	javac $quick --release 17 -Xlint:all -Werror -cp "$BUILD/glimpse.jar" -d "$classes" "$@"
}

# run CLASSES OPTION... CLASS ARGUMENT...
run() {
	local classes=$1
	shift
	java $quickly -cp "$BUILD/glimpse.jar:$classes" "$@"
}
