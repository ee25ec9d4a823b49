# viewers/nibble: draws statistics.

noinst_LIBRARIES += libnibble.a
libnibble_a_SOURCES = \
	viewers/nibble/run.c viewers/nibble/sweep.c viewers/nibble/track.c \
	viewers/nibble/expr/dimension.c viewers/nibble/expr/expressions.c \
	viewers/nibble/expr/node.c viewers/nibble/expr/series_check.c \
	viewers/nibble/expr/source_check.c \
	viewers/nibble/plot/axis.c viewers/nibble/plot/colours.c viewers/nibble/plot/draw.c \
	viewers/nibble/plot/plot.c viewers/nibble/plot/plot_layout.c \
	viewers/nibble/plot/script.c viewers/nibble/plot/series_text.c \
	viewers/nibble/plot/terminal_plot.c \
	viewers/nibble/sample/collect.c viewers/nibble/sample/evaluation.c \
	viewers/nibble/sample/samples.c viewers/nibble/sample/values.c \
	viewers/nibble/sample/window_tally.c viewers/nibble/sample/windows.c \
	viewers/nibble/series/bottle.c viewers/nibble/series/combine.c \
	viewers/nibble/series/curve.c viewers/nibble/series/curve_cursor.c \
	viewers/nibble/series/distribution.c viewers/nibble/series/evaluate.c \
	viewers/nibble/series/held.c viewers/nibble/series/reduce.c viewers/nibble/series/sample_shares.c \
	viewers/nibble/series/sampled.c viewers/nibble/series/source.c \
	viewers/nibble/series/step_extremes.c viewers/nibble/series/step_sweep.c \
	viewers/nibble/series/tallied.c viewers/nibble/series/transform.c

bin_PROGRAMS += nibble
nibble_SOURCES = viewers/nibble/nibble.c viewers/nibble/options.c
nibble_LDADD = $(NIBBLE_LIBS)
dist_man_MANS += doc/man/nibble.1
