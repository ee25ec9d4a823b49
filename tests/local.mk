# tests: every test prints TAP. A test is a script of this list, or a program of the local.mk beside it.

test_scripts = \
	tests/analysis/bottlenecks.test tests/analysis/children.test tests/analysis/days.test tests/analysis/deadlock.test tests/analysis/diff.test tests/analysis/diff_runs.test tests/analysis/diff_samples.test tests/analysis/endings.test tests/analysis/flame.test tests/analysis/graph.test tests/analysis/hand_out.test tests/analysis/hang.test tests/analysis/headline.test \
	tests/analysis/lock-overhead.test tests/analysis/locks.test tests/analysis/locks_random.test tests/analysis/memory.test \
	tests/analysis/others.test tests/analysis/phases.test tests/analysis/predicted.test tests/analysis/profile.test \
	tests/analysis/profile_random.test tests/analysis/rank.test tests/analysis/ready.test tests/analysis/sample_tables.test tests/analysis/samples.test \
	tests/analysis/shares.test tests/analysis/states.test tests/analysis/storm.test tests/analysis/spinning.test tests/analysis/switches.test \
	tests/analysis/matched-once.test tests/analysis/two_processes.test tests/analysis/meanwhile_made.test tests/analysis/thread_windows.test tests/analysis/threads.test tests/analysis/wait_paths_random.test \
	tests/analysis/stages.test tests/analysis/whatif.test tests/analysis/which_code.test \
	tests/analysis/whatif-models.test tests/analysis/whatif_made.test tests/analysis/why.test \
	tests/analysis/whatif_next.test tests/analysis/mutex_threads.test tests/analysis/whatif_waits.test \
	tests/analysis/others_made.test tests/analysis/team.test tests/analysis/team_made.test tests/analysis/first_lines.test tests/analysis/unknown_made.test \
	tests/builds/compile_commands.test tests/builds/configure.test tests/builds/hardening.test tests/builds/reproducible.test \
	tests/builds/safe-path.test tests/builds/second-tries.test tests/builds/versions.test tests/builds/view.test \
	tests/cli/addresses.test tests/cli/confine.test tests/cli/ctl.test tests/cli/diff.test tests/cli/export-firefox.test \
	tests/cli/hostile.test tests/cli/imports.test tests/cli/info-threads.test \
	tests/cli/labels.test tests/cli/mpi.test tests/cli/runs.test tests/cli/sizes.test tests/cli/symbols.test \
	tests/cli/tables.test tests/cli/visible.test \
	tests/docs/c.test tests/docs/contributing.test tests/docs/examples.test tests/docs/fortran.test tests/docs/gallery.test \
	tests/docs/columns.test tests/docs/install.test tests/docs/java.test tests/docs/limits.test tests/docs/links.test tests/docs/man.test \
	tests/docs/probes.test tests/docs/readme.test tests/docs/setup.test tests/docs/site.test tests/docs/tested.test tests/docs/tutorials.test tests/docs/views.test \
	tests/editors/editors.test \
	tests/examples/heat.test tests/examples/httpqueue.test tests/examples/matrix.test \
	tests/examples/messages.test tests/examples/mploop.test tests/examples/pgz.test \
	tests/examples/stoplight.test tests/examples/weblog.test \
	tests/field/field.test \
	tests/formats/avro.test tests/formats/chrome.test tests/formats/ctf.test tests/formats/fxt.test \
	tests/formats/import-bpftrace.test tests/formats/import-chrome.test tests/formats/import-ctf.test \
	tests/formats/import-firefox.test tests/formats/import-fxt.test tests/formats/import-graze.test \
	tests/formats/import-jfr.test \
	tests/formats/import-otlp.test tests/formats/import-own.test tests/formats/import-perf.test \
	tests/formats/import-perfetto.test tests/formats/import-strace.test \
	tests/formats/import-tables.test tests/formats/import-text.test tests/formats/import-uftrace.test \
	tests/formats/opened.test tests/formats/otf2.test tests/formats/otlp.test tests/formats/paje.test tests/formats/parquet.test \
	tests/formats/perfetto.test tests/formats/restored.test tests/formats/sqlite.test \
	tests/formats/tables.test \
	tests/figures/figures.test \
	tests/fortran/calls.test tests/fortran/golden.test tests/fortran/mixed.test \
	tests/fortran/names.test tests/fortran/openmp.test \
	tests/fuzz/fuzz.test \
	tests/golden/cxx.test tests/golden/disable.test tests/golden/glimpsec.test \
	tests/golden/golden.test tests/golden/names.test tests/golden/random.test \
	tests/golden/schema.test tests/golden/threads.test \
	tests/hostile/failing.test tests/hostile/random.test \
	tests/java/generated.test tests/java/modules.test tests/java/runtime.test \
	tests/layers/layers.test \
	tests/match/match-options.test tests/match/match.test tests/match/processes.test \
	tests/match/candidate_filter.test tests/match/stats-by.test \
	tests/probes/allocators.test tests/probes/attach-many.test tests/probes/blocked.test tests/probes/counts.test tests/probes/figures.test tests/probes/filters.test \
	tests/probes/foreign.test tests/probes/functions.test \
	tests/probes/heap.test tests/probes/inlined.test tests/probes/io.test tests/probes/java.test \
	tests/probes/jit.test tests/probes/limits.test \
	tests/probes/memory.test tests/probes/namespaces.test tests/probes/noise.test tests/probes/openmp.test \
	tests/probes/preloads.test \
	tests/probes/record.test tests/probes/recorder.test tests/probes/resources.test tests/probes/rights.test tests/probes/same.test \
	tests/probes/quiet.test tests/probes/sandboxes.test tests/probes/sample_languages.test tests/probes/sample_timers.test tests/probes/samples.test tests/probes/sanitizers.test \
	tests/probes/scheduler.test tests/probes/start-names.test \
	tests/probes/children.test tests/probes/stripped.test tests/probes/tables.test tests/probes/valgrind.test tests/probes/threads-drop.test \
	tests/probes/lock_count.test \
	tests/probes/sockets.test tests/probes/threads-entries.test tests/probes/threads.test tests/probes/unrecorded.test tests/probes/earlier-run.test tests/probes/killed.test tests/probes/while-runs.test tests/probes/widens.test tests/probes/wait_sites.test tests/probes/wait_stacks.test tests/probes/waits.test \
	tests/reject/messages-json.test tests/reject/reject.test \
	tests/runtime/clock.test tests/runtime/disable.test tests/runtime/foreign.test \
	tests/runtime/frozen.test tests/runtime/full.test tests/runtime/keys.test \
	tests/runtime/libraries.test tests/runtime/modules.test tests/runtime/race.test \
	tests/runtime/same.test tests/runtime/setuid.test tests/runtime/steady.test \
	tests/spec/good.test tests/spec/language-doc.test tests/spec/read.test \
	tests/sql/analyses.test tests/sql/duckdb.test tests/sql/examples.test tests/sql/notebook.test \
	tests/sql/postgresql.test tests/sql/spark.test tests/sql/spark-submit.test tests/sql/whole.test \
	tests/symbols/code.test tests/symbols/members.test tests/symbols/nameless.test tests/symbols/objects.test tests/symbols/sites.test tests/symbols/spin.test tests/symbols/stored.test \
	tests/trace/byte-order.test tests/trace/lists.test tests/trace/memory.test \
	tests/trace/pack.test tests/trace/pooled.test tests/trace/program.test \
	tests/trace/reader.test tests/trace/within.test \
	tests/viewers/confined.test tests/viewers/first-view.test tests/viewers/gorge-browser.test \
	tests/viewers/gorge-changes.test tests/viewers/gorge-examples.test \
	tests/viewers/gorge-flame.test tests/viewers/gorge-folds.test tests/viewers/gorge-follow.test \
	tests/viewers/gorge-frames.test tests/viewers/gorge-growth.test \
	tests/viewers/gorge-headline.test tests/viewers/gorge-html.test tests/viewers/gorge-html-found.test \
	tests/viewers/gorge-invitation.test \
	tests/viewers/gorge-keys.test tests/viewers/gorge-lanes.test \
	tests/viewers/gorge-objects-random.test tests/viewers/gorge-objects.test \
	tests/viewers/gorge-order.test tests/viewers/gorge-panels.test \
	tests/viewers/gorge-picks.test \
	tests/viewers/gorge-questions.test tests/viewers/gorge-reasons.test tests/viewers/gorge-redefine.test \
	tests/viewers/gorge-search.test tests/viewers/gorge-server.test tests/viewers/gorge-shrunk.test \
	tests/viewers/gorge-slow.test \
	tests/viewers/gorge-stacks.test tests/viewers/gorge-stepping.test \
	tests/viewers/gorge-strips.test tests/viewers/gorge-waits.test \
	tests/viewers/gorge-whatif-server.test tests/viewers/gorge-whatif.test tests/viewers/gorge-why.test \
	tests/viewers/gorge-windows.test tests/viewers/gorge.test tests/viewers/nibble-tracks.test \
	tests/viewers/nibble.test tests/viewers/qualified.test \
	tests/why/live.test tests/why/loaded.test tests/why/paging.test tests/why/refused.test tests/why/together.test \
	tests/why/vain.test tests/why/why.test
TESTS = $(test_scripts) $(test_programs)
# A script that is in no list would never run.
forgotten_scripts = $(filter-out $(test_scripts),$(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/tests/*/*.test)))
check-local:
	@test -z '$(forgotten_scripts)' || { echo 'tests/local.mk does not list $(forgotten_scripts)' >&2; exit 1; }
test_programs =
check_LIBRARIES =

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' bash $(top_srcdir)/tests/timed-driver $(top_srcdir)/build-aux/tap-driver.sh
TEST_LOG_DRIVER = $(LOG_DRIVER)
# A test that hangs is ended, and fails.
LOG_COMPILER = timeout --kill-after=10 $${TEST_LIMIT:-900}
TEST_LOG_COMPILER = $(LOG_COMPILER) $(TEST_WRAPPER)
TEST_EXTENSIONS = .test
# Where the tests find what was built, and the sources.
AM_TESTS_ENVIRONMENT = \
	BUILD='$(abs_builddir)'; export BUILD; \
	SRC='$(abs_srcdir)'; export SRC; \
	CC='$(CC)'; export CC; CXX='$(CXX)'; export CXX; FC='$(FC)'; export FC; \
	TEST_CFLAGS='$(CFLAGS)'; export TEST_CFLAGS; \
	LZMA_LIBS='$(LZMA_LIBS)'; export LZMA_LIBS;

include tests/analysis/local.mk
include tests/base/local.mk
include tests/figures/local.mk
include tests/golden/local.mk
include tests/match/local.mk
include tests/probes/local.mk
include tests/runtime/local.mk
include tests/spec/local.mk
include tests/sql/local.mk
include tests/symbols/local.mk
include tests/trace/local.mk
include tests/viewers/local.mk
check_PROGRAMS += $(test_programs)

# A test that needs a quiet machine says so in a line "Needs a quiet machine: ...". It runs after all others, alone, and
# so do those that install, which links the libraries again in the folder where the other tests have them from.
quiet_tests = $(shell cd $(srcdir) && grep -l 'Needs a quiet machine: ' tests/*/*.test tests/*/*.c)
alone = $(addsuffix .log,$(basename $(quiet_tests)) tests/builds/hardening tests/docs/install)
$(foreach log,$(alone),$(eval $(log): $(filter-out $(alone),$(TEST_LOGS)) $(filter $(before),$(TEST_LOGS)))$(eval before += $(log)))

# `make check-analysis`: the tests of a folder, of tests/FOLDER or what is named here; and what ./check runs apart.
all_tests = $(test_scripts) $(test_programs)
check-%:
	@test -n '$(call named_tests,$*)' || { echo 'make: $* is no folder with tests' >&2; exit 1; }
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(call named_tests,$*)'
# Counts the cases of the tests anew, in doc/tested.md.
tested:
	@python3 $(srcdir)/tests/docs/tested.py $(srcdir) >tested.new && mv tested.new $(srcdir)/doc/tested.md
.PHONY: tested

# The tests of recordings as an ordinary user of a container has them, all or (in ./check) those that are done soon.
# tested: refused machine, refused_names tests: the same tests as an ordinary user, without perf_event, ptrace and the
# names of the kernel's functions.
refused_names = allocators attach-many blocked children counts earlier-run figures filters foreign functions \
	heap inlined io java limits lock_count memory namespaces noise openmp preloads quiet \
	record recorder resources rights sandboxes sanitizers scheduler sockets start-names stripped \
	tables threads threads-drop threads-entries unrecorded wait_sites wait_stacks while-runs widens
quick_refused = $(patsubst %,tests/probes/%.test,$(refused_names))
check-refused-quick:
	$(MAKE) $(AM_MAKEFLAGS) check-refused REFUSED='$(quick_refused)'
check-refused:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(or $(REFUSED),$(filter tests/probes/%.test,$(test_scripts)))' TEST_WRAPPER='$(abs_srcdir)/tests/probes/refused'
named_tests = $(filter $(or $(tests_of_$(1)),tests/$(1)/%),$(all_tests))

tests_of_analysis = tests/analysis/% tests/why/%
tests_of_codegen = tests/golden/% tests/fortran/% tests/java/%
tests_of_formats = tests/formats/% tests/analysis/others.test tests/analysis/profile.test
tests_of_grammar = tests/reject/% tests/spec/%
tests_of_packaging = tests/builds/% tests/docs/install.test
tests_of_recorder = tests/hostile/% tests/probes/attach-many.test tests/probes/namespaces.test tests/probes/blocked.test tests/probes/jit.test tests/probes/noise.test \
	tests/probes/record.test tests/probes/recorder.test \
	tests/probes/resources.test tests/probes/rights.test tests/probes/same.test tests/probes/quiet.test tests/probes/sandboxes.test tests/probes/sample_languages.test \
	tests/probes/sample_timers.test tests/probes/tables.test tests/probes/valgrind.test tests/probes/samples.test tests/probes/scheduler.test tests/probes/unrecorded.test tests/probes/widens.test
tests_of_runtime = tests/runtime/% tests/java/%
tests_of_spec = tests/spec/% tests/reject/%
tests_of_trace = tests/trace/% tests/symbols/%

# Fuzzing has sanitizers of its own; building all twice is a test of the package.
tests_of_plain = $(filter-out tests/builds/reproducible.test tests/fuzz/fuzz.test,$(all_tests))

# Each of these takes many seconds for what few changes break: compilers for other machines, whole programs of others,
# planted bottlenecks.
tests_of_quick = $(filter-out tests/docs/examples.test tests/java/generated.test tests/probes/foreign.test \
	tests/runtime/foreign.test tests/sql/spark.test tests/sql/spark-submit.test tests/trace/byte-order.test \
	tests/why/why.test,$(tests_of_plain))

# What addresses and undefined behaviour can be wrong in: programs in C of this build, each way through them once. Left
# out are tests of other languages, of documents, of editors, of browsers and of scripts (bench/field), which run the same
# programs in the same ways; of what is loaded into programs, where a sanitizer cannot go; of what is compiled without
# sanitizers; of how long a program takes; and of how often a verdict is right (diff_samples), for which one way is gone
# hundreds of times.
tests_of_addresses = $(filter-out tests/builds/% tests/docs/% tests/editors/% tests/field/% tests/figures/% \
	tests/fortran/% tests/fuzz/% tests/hostile/% tests/java/% tests/layers/% \
	tests/probes/%.test tests/why/% $(browser_tests) tests/examples/heat.test tests/examples/httpqueue.test \
	tests/analysis/diff_runs.test tests/analysis/diff_samples.test tests/symbols/members.test tests/symbols/sites.test tests/viewers/first-view.test \
	tests/examples/mploop.test tests/examples/stoplight.test tests/runtime/foreign.test tests/runtime/same.test \
	tests/sql/analyses.test tests/sql/examples.test tests/sql/notebook.test tests/sql/postgresql.test \
	tests/sql/spark.test tests/sql/spark-submit.test tests/sql/whole.test tests/trace/byte-order.test,$(all_tests))
browser_tests = $(shell cd $(srcdir) && grep -l 'need.* chromium' tests/viewers/*.test)

# What threads run in: all that is worth running under ThreadSanitizer.
one_thread = tests/runtime/apart tests/runtime/children tests/runtime/sandbox tests/runtime/surroundings
tests_of_threads = $(filter-out $(one_thread),$(RUNTIME_TESTS)) tests/runtime/libraries.test tests/golden/threads.test \
	tests/trace/lists.test tests/match/match_random tests/trace/program.test \
	tests/examples/messages.test tests/examples/pgz.test \
	tests/viewers/gorge-windows.test tests/viewers/gorge-growth.test tests/viewers/gorge-slow.test
