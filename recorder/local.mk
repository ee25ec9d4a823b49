# recorder: what runs in the process of `glimpse record`, beside the program.

noinst_LIBRARIES += librecorder.a
librecorder_a_CPPFLAGS = $(AM_CPPFLAGS) -DPROBES_FOLDER='"$(pkglibdir)"' -I$(srcdir)/runtime \
	-iquote recorder/resources -iquote recorder/samples -iquote recorder/scheduler \
	-iquote probes/threads
librecorder_a_SOURCES = \
	recorder/attach.c recorder/launch.c recorder/numbers.c recorder/observe.c recorder/observed.c \
	recorder/late_close.c recorder/messages.c recorder/obstacles.c recorder/probes.c recorder/processes.c recorder/recorder.c recorder/refusals.c recorder/requests.c recorder/rings.c \
	recorder/run_directory.c recorder/sentry.c recorder/share.c recorder/signals.c recorder/store.c recorder/streams.c \
	recorder/summary.c recorder/trace_events.c \
	probes/threads/local_peer.c recorder/live_process/live_calls.c recorder/live_process/live_holders.c recorder/live_process/live_memory.c recorder/live_process/live_objects.c recorder/live_process/live_peers.c \
	recorder/live_process/live_stacks.c recorder/live_process/live_stop.c recorder/live_process/live_threads.c \
	recorder/live_process/live_waits.c \
	recorder/merge/adopt.c recorder/merge/causes.c recorder/merge/delays.c recorder/merge/homes.c recorder/merge/journal.c \
	recorder/merge/known_waits.c recorder/merge/recorder_lines.c recorder/merge/sampled_states.c recorder/merge/spare.c \
	recorder/resources/resources.c \
	recorder/samples/blocked_calls.c recorder/samples/code_exit.c recorder/samples/futexes.c recorder/samples/go_table.c recorder/samples/image.c recorder/samples/inner_code.c recorder/samples/jitdump.c \
	recorder/samples/kernel.c recorder/samples/kernel_cache.c recorder/samples/kernel_table.c \
	recorder/samples/made.c recorder/samples/perf_map.c \
	recorder/samples/samples.c recorder/samples/spaces.c recorder/samples/stack_log.c recorder/samples/stack_numbers.c recorder/samples/thinning.c \
	recorder/samples/widening.c \
	recorder/samples/unwind.c \
	probes/follow_exec/image.c runtime/system.c \
	probes/unwind/cfi.c probes/unwind/cfi_expression.c \
	recorder/scheduler/entries.c recorder/scheduler/kernel_waits.c recorder/scheduler/records.c recorder/scheduler/sampling.c \
	recorder/scheduler/scheduler.c recorder/scheduler/states.c recorder/scheduler/throttle.c recorder/scheduler/wakeups.c
nodist_librecorder_a_SOURCES = recorder/abouts.c \
	recorder/resources/resources_glimpse.c recorder/resources/resources_glimpse.h \
	recorder/samples/samples_glimpse.c recorder/samples/samples_glimpse.h \
	recorder/scheduler/scheduler_glimpse.c recorder/scheduler/scheduler_glimpse.h \
	probes/threads/threads_glimpse.c probes/threads/threads_glimpse.h
$(librecorder_a_OBJECTS): probes/threads/threads_glimpse.h recorder/resources/resources_glimpse.h recorder/samples/samples_glimpse.h recorder/scheduler/scheduler_glimpse.h
CLEANFILES += recorder/abouts.c \
	recorder/resources/resources_glimpse.c recorder/resources/resources_glimpse.h \
	recorder/samples/samples_glimpse.c recorder/samples/samples_glimpse.h \
	recorder/scheduler/scheduler_glimpse.c recorder/scheduler/scheduler_glimpse.h
dist_probespec_DATA += recorder/resources/resources.spec recorder/samples/samples.spec recorder/scheduler/scheduler.spec

# What --probes list says of each probe: NAME/NAME.about, in probes or recorder, in the order of their names.
all_abouts = $(wildcard $(srcdir)/probes/*/*.about $(srcdir)/recorder/*/*.about)
probe_abouts = $(foreach name,$(sort $(notdir $(all_abouts))),$(filter %/$(name),$(all_abouts)))
recorder/abouts.c: $(probe_abouts) recorder/abouts.awk
	$(AM_V_GEN)$(MKDIR_P) recorder && \
		$(AWK) -f $(srcdir)/recorder/abouts.awk $(probe_abouts) </dev/null >$@.part && mv $@.part $@
