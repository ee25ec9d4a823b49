# tests: every test prints TAP. A test is a script FOLDER/NAME.test, or a program of the local.mk beside it.

# Automake would read a command in TESTS as names of tests, so make adds the scripts.
test_scripts != cd $(srcdir) && find tests -name '*.test' | LC_ALL=C sort
TESTS = $(test_programs)
$(eval TESTS = $(test_scripts) $(value TESTS))
check_DATA = executable-tests
executable-tests:
	@! (cd $(srcdir) && find tests -name '*.test' ! -perm -u+x) | sed 's/$$/ is not executable: chmod +x/' | grep . >&2
.PHONY: executable-tests
test_programs =
check_LIBRARIES =

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' bash $(top_srcdir)/tests/timed-driver $(top_srcdir)/build-aux/tap-driver.sh
TEST_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = bash $(top_srcdir)/tests/limited
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
quiet_tests = $(shell cd $(srcdir) && grep -rl --include='*.test' --include='*.c' 'Needs a quiet machine: ' tests)
alone = $(addsuffix .log,$(basename $(quiet_tests)) tests/builds/hardening tests/docs/install)
$(foreach log,$(alone),$(eval $(log): $(filter-out $(alone),$(TEST_LOGS)) $(filter $(before),$(TEST_LOGS)))$(eval before += $(log)))

# `make check-replay`: the tests of a folder, at any depth below tests, or what is named here; and what ./check runs apart.
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
refused_names = functions/functions io/io java/java memory/heap memory/memory names/inlined \
	names/start-names names/stripped openmp/openmp processes/attach-many processes/children \
	processes/counts processes/earlier-run processes/namespaces processes/while-runs record/quiet \
	record/record record/recorder record/unrecorded same/allocators same/foreign same/limits \
	same/preloads same/sanitizers samples/widens sandboxes/filters sandboxes/rights \
	sandboxes/sandboxes scheduler/blocked scheduler/figures scheduler/noise scheduler/resources \
	scheduler/scheduler threads/drop threads/entries threads/lock_count threads/sockets \
	threads/threads threads/wait_sites threads/wait_stacks unwind/tables
quick_refused = $(patsubst %,tests/probes/%.test,$(refused_names))
check-refused-quick:
	$(MAKE) $(AM_MAKEFLAGS) check-refused REFUSED='$(quick_refused)'
check-refused:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(or $(REFUSED),$(filter tests/probes/%.test,$(test_scripts)))' TEST_WRAPPER='$(abs_srcdir)/tests/probes/refused'
named_tests = $(or $(filter $(tests_of_$(1)),$(all_tests)),$(foreach test,$(all_tests),$(if $(findstring /$(1)/,$(test)),$(test))))

tests_of_analysis = tests/analysis/% tests/why/%
tests_of_codegen = tests/golden/% tests/fortran/% tests/java/%
tests_of_formats = tests/formats/% tests/analysis/calls/others.test tests/analysis/calls/profile.test
tests_of_grammar = tests/reject/% tests/spec/%
tests_of_packaging = tests/builds/% tests/docs/install.test
tests_of_recorder = tests/hostile/% $(foreach folder,merge processes record samples sandboxes scheduler,tests/probes/$(folder)/%) \
	tests/probes/same/same.test tests/probes/same/valgrind.test tests/probes/unwind/tables.test
tests_of_runtime = tests/runtime/% tests/java/%
tests_of_spec = tests/spec/% tests/reject/%
tests_of_trace = tests/trace/% tests/symbols/%

# Fuzzing has sanitizers of its own; building all twice is a test of the package.
tests_of_plain = $(filter-out tests/builds/reproducible.test tests/fuzz/fuzz.test,$(all_tests))

# Each of these takes many seconds for what few changes break: compilers for other machines, whole programs of others,
# planted bottlenecks.
tests_of_quick = $(filter-out tests/docs/examples.test tests/java/generated.test tests/probes/same/foreign.test \
	tests/runtime/foreign.test tests/sql/spark.test tests/sql/spark-submit.test tests/trace/byte-order.test \
	tests/why/why.test,$(tests_of_plain))

# What addresses and undefined behaviour can be wrong in: programs in C of this build, each way through them once. Left
# out are tests of other languages, of documents, of editors, of browsers and of scripts (bench), which run the same
# programs in the same ways; of what is loaded into programs, where a sanitizer cannot go; of what is compiled without
# sanitizers; of how long a program takes, or how large a recording is (storm); and of how often a verdict is right
# (diff_samples), for which one way is gone hundreds of times.
tests_of_addresses = $(filter-out tests/bench/% tests/builds/% tests/docs/% tests/editors/% tests/field/% tests/figures/% \
	tests/fortran/% tests/fuzz/% tests/hostile/% tests/java/% tests/layers/% \
	tests/probes/%.test tests/why/% $(browser_tests) tests/examples/heat.test tests/examples/httpqueue.test \
	tests/analysis/diff/diff_runs.test tests/analysis/diff/diff_samples.test %/storm.test tests/symbols/members.test tests/symbols/sites.test tests/viewers/first-view.test \
	tests/examples/mploop.test tests/examples/rust.test tests/examples/stoplight.test tests/runtime/foreign.test tests/runtime/same.test \
	tests/sql/analyses.test tests/sql/examples.test tests/sql/notebook.test tests/sql/postgresql.test \
	tests/sql/spark.test tests/sql/spark-submit.test tests/sql/whole.test tests/trace/byte-order.test,$(all_tests))
browser_tests = $(shell cd $(srcdir) && grep -rl --include='*.test' 'need.* chromium' tests/viewers)

# What threads run in: all that is worth running under ThreadSanitizer.
one_thread = tests/runtime/apart tests/runtime/children tests/runtime/sandbox tests/runtime/surroundings
tests_of_threads = $(filter-out $(one_thread),$(RUNTIME_TESTS)) tests/runtime/libraries.test tests/golden/threads.test \
	tests/trace/lists.test tests/match/match_random tests/trace/program.test \
	tests/examples/messages.test tests/examples/pgz.test \
	tests/viewers/gorge/scene/windows.test tests/viewers/gorge/index/growth.test tests/viewers/gorge/page/slow.test
