# grammar: text to syntax tree.

noinst_LIBRARIES += libgrammar.a
libgrammar_a_SOURCES = \
	grammar/arena.c grammar/ast.c grammar/build.c grammar/comment.c grammar/diag.c \
	grammar/keyword.c grammar/literal.c grammar/parse.c grammar/source.c
nodist_libgrammar_a_SOURCES = grammar/parser.c grammar/parser.h grammar/scanner.c
libgrammar_a_CFLAGS = $(AM_CFLAGS) -Wno-unused-function
BUILT_SOURCES += grammar/parser.h
# A tarball has them, for machines without bison and flex.
EXTRA_DIST += grammar/parser.c grammar/parser.h grammar/scanner.c
MAINTAINERCLEANFILES += grammar/parser.c grammar/parser.h grammar/scanner.c

# What is generated names its source as seen from the top, wherever that lies.
lines_from_top = for file in $$generated; do \
	sed 's|^\#line \([0-9]*\) "$(srcdir)/|\#line \1 "|' $$file >$$file.part && \
	mv $$file.part $$file || exit 1; done
grammar/parser.c: grammar/spec.y
	$(AM_V_GEN)$(MKDIR_P) grammar && \
		$(BISON) -Wall -Werror --defines=grammar/parser.h -o $@ $(srcdir)/grammar/spec.y && \
		generated='$@ grammar/parser.h' && $(lines_from_top)
grammar/parser.h: grammar/parser.c
	@test -f $@ || { rm -f grammar/parser.c; $(MAKE) $(AM_MAKEFLAGS) grammar/parser.c; }
grammar/scanner.c: grammar/spec.l
	$(AM_V_GEN)$(MKDIR_P) grammar && $(FLEX) -o $@ $(srcdir)/grammar/spec.l && \
		generated=$@ && $(lines_from_top)
