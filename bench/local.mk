# bench: `make bench` prints every number that is promised beside its target. No test: it wants a quiet machine.

BENCH_ROWS = bench/event bench/threads bench/calls bench/lttng.sh bench/barectf.sh bench/uftrace.sh bench/java.sh \
	bench/fortran.sh bench/merge bench/match bench/pack.sh bench/whatif.sh bench/coz.sh bench/identity.sh \
	bench/measured.sh bench/running_thread.sh bench/whatif-speed.sh bench/zeroing.sh bench/schedule.sh \
	bench/locks-table.sh bench/babeltrace.sh bench/gorge.sh bench/gorge-view.sh bench/sqlite.sh bench/memory.sh \
	bench/blocks.sh bench/record.sh bench/samples.sh bench/samples-peers.sh bench/whatif-samples.sh \
	bench/accuracy.sh bench/why-live.sh bench/gorge-lanes.sh bench/gorge-recorded.sh bench/follow.sh bench/gorge-memory.sh \
	bench/storm.sh bench/open.sh bench/formats.sh bench/sql.sh bench/html.sh bench/nibble.sh bench/functions.sh bench/locks.sh bench/descriptors.sh bench/futex.sh bench/holds.sh bench/scheduler
bench: libglimpse.la $(pkglib_LTLIBRARIES) $(bin_PROGRAMS) pgz$(EXEEXT) $(jar_DATA) $(EXTRA_PROGRAMS)
	CC='$(CC)' FC='$(FC)' $(SHELL) $(srcdir)/bench/run '$(abs_builddir)' '$(abs_srcdir)' $(BENCH_ROWS)
# `make bench-growth`: random logs of 1, 10 and 100 million events; minutes, and 24 GB of memory for the last.
bench-growth: bench/match$(EXEEXT)
	bench/match$(EXEEXT) --random
# What ./check builds, so that the programs follow the sources that they measure.
bench-programs: $(EXTRA_PROGRAMS)
# The score on public programs: FIELD='--cases NAME' adds options.
field: $(bin_PROGRAMS) libglimpse.la $(pkglib_LTLIBRARIES)
	$(srcdir)/bench/field/field.py --glimpse '$(abs_builddir)/glimpse' --half quick $(FIELD)
field-long: $(bin_PROGRAMS) libglimpse.la $(pkglib_LTLIBRARIES)
	$(srcdir)/bench/field/field.py --glimpse '$(abs_builddir)/glimpse' --half all $(FIELD)
# Predictions of random programs beside their real changes: RANDOM_PROGRAMS='--programs 20' adds options.
field-random: $(bin_PROGRAMS) libglimpse.la $(pkglib_LTLIBRARIES)
	$(srcdir)/bench/field/random/random.py --glimpse '$(abs_builddir)/glimpse' $(RANDOM_PROGRAMS)
# doc/accuracy.md: each prediction of these scripts and of the field, with its truth. Half an hour. FIELD,
# RANDOM_PROGRAMS and ACCURACY add options: ACCURACY='--note "..."' a sentence.
ACCURACY_ROWS = bench/whatif.sh bench/coz.sh bench/identity.sh bench/running_thread.sh bench/zeroing.sh bench/schedule.sh \
	bench/whatif-samples.sh bench/accuracy.sh
accuracy: $(bin_PROGRAMS) libglimpse.la $(pkglib_LTLIBRARIES) $(jar_DATA)
	rm -f accuracy.predictions
	PREDICTIONS='$(abs_builddir)/accuracy.predictions' CC='$(CC)' $(SHELL) $(srcdir)/bench/run '$(abs_builddir)' '$(abs_srcdir)' $(ACCURACY_ROWS)
	$(srcdir)/bench/field/field.py --glimpse '$(abs_builddir)/glimpse' --half quick --conditions quiet,busy $(FIELD)
	$(srcdir)/bench/field/random/random.py --glimpse '$(abs_builddir)/glimpse' --programs 100 --sizes 1 $(RANDOM_PROGRAMS)
	$(srcdir)/bench/accuracy.py accuracy.predictions --score field.out/score.json --random random.out/random.json $(ACCURACY) \
		-o $(srcdir)/doc/accuracy.md
.PHONY: accuracy bench bench-growth bench-programs field field-long field-random

BENCH_LIBS = tests/runtime/libscene.a libglimpse.la -lpthread
EXTRA_PROGRAMS += bench/calls bench/event bench/threads bench/ticks
bench_calls_SOURCES = bench/calls.c bench/measure.c
bench_calls_LDADD = $(BENCH_LIBS)
bench_calls_LDFLAGS = -static
bench_event_SOURCES = bench/event.c bench/measure.c
bench_event_LDADD = $(BENCH_LIBS)
bench_event_LDFLAGS = -static
bench_threads_SOURCES = bench/measure.c bench/threads.c
bench_threads_LDADD = $(BENCH_LIBS)
bench_threads_LDFLAGS = -static
bench_ticks_SOURCES = bench/measure.c bench/ticks.c
bench_ticks_LDADD = $(BENCH_LIBS)
bench_ticks_LDFLAGS = -static

EXTRA_PROGRAMS += bench/drain bench/follow bench/match bench/merge bench/replay bench/scheduler bench/series bench/span bench/storm
bench_drain_LDADD = $(MATCH_LIBS)
bench_follow_LDADD = $(GORGE_LIBS)
bench_match_SOURCES = bench/forms.c bench/match.c
bench_match_LDADD = $(MATCH_LIBS)
bench_merge_SOURCES = bench/log_file.c bench/merge.c
bench_merge_LDADD = $(MATCH_LIBS)
bench_storm_SOURCES = bench/log_file.c bench/storm.c
bench_storm_LDADD = $(MATCH_LIBS)
bench_replay_LDADD = $(MATCH_LIBS)
bench_series_LDADD = $(NIBBLE_LIBS)
bench_span_SOURCES = bench/span.c
