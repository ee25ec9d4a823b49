test_programs += tests/trace/clock_test tests/trace/plain_names tests/trace/runs tests/trace/spec_written \
	tests/trace/wait_objects_random
tests_trace_plain_names_LDADD = $(TRACE_LIBS)
tests_trace_clock_test_LDADD = $(TRACE_LIBS)
tests_trace_spec_written_LDADD = $(TRACE_LIBS)
tests_trace_runs_SOURCES = tests/trace/runs.c trace/stream/merge_runs.c

check_PROGRAMS += tests/trace/lists tests/trace/mklog tests/trace/object_words tests/trace/within
tests_trace_lists_LDADD = $(MATCH_LIBS)
tests_trace_mklog_SOURCES = \
	tests/trace/binary.c tests/trace/mklog.c tests/trace/mklog_event.c \
	tests/trace/mklog_file.c tests/trace/mklog_note.c tests/trace/mklog_spec.c \
	tests/trace/output.c tests/trace/recipe.c
tests_trace_mklog_LDADD = $(SPEC_LIBS)
tests_trace_object_words_LDADD = $(TRACE_LIBS)
tests_trace_wait_objects_random_LDADD = $(TRACE_LIBS)
tests_trace_within_LDADD = $(TRACE_LIBS)
