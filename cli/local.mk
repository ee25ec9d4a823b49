# cli: the glimpse command.

bin_PROGRAMS += glimpse
glimpse_SOURCES = \
	cli/check.c cli/ctl.c cli/diff.c cli/events.c cli/export.c cli/import.c cli/import_cache.c cli/glimpse.c cli/holds.c cli/info.c \
	cli/info_threads.c cli/locks.c cli/match.c cli/memory.c cli/memory_data.c \
	cli/memory_sites.c cli/memory_text.c cli/pack.c cli/profile.c cli/profile_table.c \
	cli/profile_tree.c cli/rank.c cli/record.c cli/spark_submit.c cli/sql.c cli/sql_by.c cli/stats.c \
	cli/stats_by.c cli/stats_values.c cli/symbols.c cli/symbols_fetch.c cli/symbols_modules.c \
	cli/symbols_server.c cli/threads.c cli/threads_states.c cli/unpack.c cli/whatif.c \
	cli/whatif_models.c cli/whatif_sweep.c cli/why.c cli/whatif_best.c cli/whatif_next.c \
	cli/whatif_hand_out.c cli/whatif_latencies.c \
	cli/common/command.c cli/common/fields.c cli/common/intervals.c cli/common/lost.c cli/common/inversions.c cli/common/names_remark.c cli/common/auto_off.c \
	cli/common/screen.c cli/common/selection_options.c cli/common/table.c cli/common/text.c cli/common/top.c cli/common/wrap.c \
	cli/live/copy.c cli/live/live.c cli/live/program.c cli/live/report.c cli/live/switches.c \
	cli/live/switching.c cli/live/why_as_live.c cli/live/why_live.c \
	cli/record/command_file.c cli/record/command_line.c cli/record/options_file.c \
	cli/record/program.c cli/record/users_spec.c \
	cli/spark/plan.c
# With libglimpse in it: what the recorder observes it logs as any program does.
# Libraries that it loads call this: cli/symbols_server.c.
glimpse_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--dynamic-list=$(srcdir)/cli/exported.list
EXTRA_DIST += cli/exported.list
glimpse_LDADD = librecorder.a libsql.a libformats.a libglimpse.la $(MATCH_LIBS) $(PROTOBUF_C_LIBS) $(FORMAT_LIBS)
dist_man_MANS += \
	doc/man/glimpse-export.1 doc/man/glimpse-holds.1 doc/man/glimpse-import.1 doc/man/glimpse-locks.1 doc/man/glimpse-memory.1 doc/man/glimpse-profile.1 doc/man/glimpse-rank.1 \
	doc/man/glimpse-record.1 doc/man/glimpse-sql.1 doc/man/glimpse-symbols.1 doc/man/glimpse-threads.1 doc/man/glimpse-whatif.1 doc/man/glimpse-why.1 \
	doc/man/glimpse.1

# The live search knows which events there are to switch before the program begins.
nodist_glimpse_SOURCES = cli/live/specs.c
live_specs = probes/functions/functions.spec probes/io/io.spec probes/memory/memory.spec \
	probes/openmp/openmp.spec probes/threads/threads.spec
CLEANFILES += cli/live/specs.c
cli/live/specs.c: $(live_specs) cli/live/specs.awk
	$(AM_V_GEN)$(MKDIR_P) cli/live && cd $(srcdir) && \
		$(AWK) -f cli/live/specs.awk $(live_specs) >"$(abs_builddir)/$@.part" && \
		mv "$(abs_builddir)/$@.part" "$(abs_builddir)/$@"

# The job of glimpse spark-submit. In the build it lies beside the command, as its installed one is found from there.
glimpse_CPPFLAGS = $(AM_CPPFLAGS) -DJOB_FOLDER='"$(pkgdatadir)"'
dist_pkgdata_DATA += cli/spark/glimpse_spark.py
noinst_DATA += glimpse_spark.py
CLEANFILES += glimpse_spark.py
glimpse_spark.py: cli/spark/glimpse_spark.py
	$(AM_V_GEN)cp $(srcdir)/cli/spark/glimpse_spark.py $@
