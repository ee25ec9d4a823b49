# spec: what a specification means.

noinst_LIBRARIES += libspec.a
libspec_a_CPPFLAGS = $(AM_CPPFLAGS) -DSPEC_FOLDER='"$(specdir)"'
libspec_a_SOURCES = \
	spec/aggregate.c spec/constraints.c spec/equal.c spec/expr.c spec/expr_check.c spec/from.c \
	spec/hypotheses.c spec/import_path.c spec/intervals.c spec/layout.c spec/lint.c \
	spec/load.c spec/measure.c spec/names.c spec/object_words.c spec/print.c spec/qualified.c spec/range.c \
	spec/resolve.c spec/spec.c spec/style.c spec/types.c
