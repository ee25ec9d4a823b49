# The objects of the fuzzers, compiled with sanitizers; fuzz.sh runs it in a folder that it keeps for the other targets
# and the next time. SRC: the sources; FLAGS: of the compiler.

VPATH = $(SRC)

%.o: %.c | grammar/parser.c
	@mkdir -p $(@D)
	clang $(FLAGS) $(PART) -MMD -MP -I$(SRC) -I. -c -o $@ $<

# A tarball has them, for machines without bison and flex.
grammar/parser.c: grammar/spec.y
	@mkdir -p grammar
	bison --defines=grammar/parser.h -o $@ $<
grammar/scanner.c: grammar/spec.l
	@mkdir -p grammar
	flex -o $@ $<

analysis/why/why.o: analysis/why/why_spec.h
analysis/why/why_spec.h: analysis/why/why.spec
	@mkdir -p $(@D)
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $< >$@

trace/symbols/demangle.o trace/symbols/inlined.o trace/symbols/inlined_units.o tests/fuzz/symbols_fuzz.o: PART = -DHAVE_LIBDW
formats/import_jfr.o: PART = -DJARS_FOLDER='"/"'
viewers/gorge/page/assets.o: PART = -DPAGE='"$(SRC)/viewers/gorge/page"'

include $(wildcard */*.d */*/*.d */*/*/*.d)
