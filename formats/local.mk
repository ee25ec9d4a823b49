# formats: traces as other tools' files.

noinst_LIBRARIES += libformats.a
libformats_a_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_CFLAGS)
libformats_a_SOURCES = \
	formats/avro_file.c \
	formats/chosen_events.c \
	formats/ctf_fields.c \
	formats/ctf_kernel.c \
	formats/ctf_metadata.c \
	formats/ctf_native.c \
	formats/ctf_restore.c \
	formats/deflated.c \
	formats/event_tables.c \
	formats/export.c \
	formats/export_avro.c \
	formats/export_calls.c \
	formats/export_chrome.c \
	formats/export_csv.c \
	formats/export_ctf.c \
	formats/export_firefox.c \
	formats/export_fxt.c \
	formats/export_graze.c \
	formats/export_jsonl.c \
	formats/export_logfmt.c \
	formats/export_otf2.c \
	formats/export_otlp.c \
	formats/export_paje.c \
	formats/export_parquet.c \
	formats/export_perfetto.c \
	formats/export_postgresql.c \
	formats/export_pprof.c \
	formats/export_sqlite.c \
	formats/field_names.c \
	formats/firefox_markers.c \
	formats/firefox_tables.c \
	formats/import.c \
	formats/import_bpftrace.c \
	formats/import_chrome.c \
	formats/import_csv.c \
	formats/import_ctf.c \
	formats/import_firefox.c \
	formats/import_fxt.c \
	formats/import_graze.c \
	formats/import_jfr.c \
	formats/import_jsonl.c \
	formats/import_logfmt.c \
	formats/import_otf2.c \
	formats/import_otlp.c \
	formats/import_perf.c \
	formats/import_perfetto.c \
	formats/import_strace.c \
	formats/import_text.c \
	formats/import_uftrace.c \
	formats/jfr_types.c \
	formats/jfr_workers.c \
	formats/json_read.c \
	formats/lines.c \
	formats/logs.c \
	formats/logs_named.c \
	formats/logs_names.c \
	formats/logs_restore.c \
	formats/logs_slices.c \
	formats/logs_stacks.c \
	formats/logs_switches.c \
	formats/logs_threads.c \
	formats/logs_types.c \
	formats/logs_write.c \
	formats/otf2_archive.c \
	formats/otf2_definitions.c \
	formats/otf2_records.c \
	formats/otlp_spans.c \
	formats/parquet_encode.c \
	formats/parquet_file.c \
	formats/perf_lines.c \
	formats/perfetto_ftrace.c \
	formats/perfetto_sequence.c \
	formats/perfetto_values.c \
	formats/proto_read.c \
	formats/rows.c \
	formats/strace_calls.c \
	formats/strace_lines.c \
	formats/strace_processes.c \
	formats/thread_marks.c \
	formats/thrift.c \
	formats/time_text.c \
	formats/track_instances.c \
	formats/tracks.c \
	formats/unescape.c
nodist_libformats_a_SOURCES =
if PROTOBUF_C
nodist_libformats_a_SOURCES += formats/perfetto.pb-c.c formats/profile.pb-c.c
BUILT_SOURCES += formats/perfetto.pb-c.c formats/profile.pb-c.c
CLEANFILES += formats/perfetto.pb-c.c formats/perfetto.pb-c.h formats/profile.pb-c.c formats/profile.pb-c.h
formats/libformats_a-export_perfetto.$(OBJEXT): formats/perfetto.pb-c.h
formats/libformats_a-export_pprof.$(OBJEXT): formats/profile.pb-c.h
endif
formats/%.pb-c.c: formats/%.proto
	@$(MKDIR_P) formats
	$(AM_V_GEN)$(PROTOC_C) --proto_path=$(srcdir) --c_out=. $<
formats/%.pb-c.h: formats/%.pb-c.c ;

# The specifications that the recorder logs by, as texts.
BUILT_SOURCES += formats/specs.h
CLEANFILES += formats/specs.h
formats/libformats_a-logs_types.$(OBJEXT): formats/specs.h
format_specs = recorder/samples/samples.spec recorder/scheduler/scheduler.spec
formats/specs.h: $(format_specs)
	@$(MKDIR_P) formats
	$(AM_V_GEN)for spec in samples scheduler; do \
		echo "static const char $$(echo $$spec | tr a-z A-Z)_SPEC[] ="; \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $(srcdir)/recorder/$$spec/$$spec.spec; \
		echo ";"; \
	done >$@

# Recordings of Java's Flight Recorder: only Java has a reader of them.
libformats_a_SOURCES += formats/import_jfr.c formats/jfr_types.c formats/jfr_workers.c
libformats_a_CPPFLAGS += -DJARS_FOLDER='"$(pkglibdir)"'
JFR_CLASSES = $(wildcard $(srcdir)/formats/java/glimpse/formats/*.java)
CLEANFILES += glimpse-jfr.jar
glimpse-jfr.jar: $(JFR_CLASSES) runtime/java/make-jar formats/java/manifest
	$(AM_V_GEN)JAVAC='$(JAVAC)' JAR='$(JAR)' $(SHELL) $(srcdir)/runtime/java/make-jar $@ \
		$(srcdir)/formats/java/manifest '' '' $(srcdir)/formats/java/glimpse/formats/*.java
if JAVA
jfrdir = $(pkglibdir)
jfr_DATA = glimpse-jfr.jar
endif
