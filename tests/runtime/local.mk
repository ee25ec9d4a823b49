check_LIBRARIES += tests/runtime/libscene.a
tests_runtime_libscene_a_SOURCES = \
	tests/runtime/probe.c tests/runtime/reader.c tests/runtime/scene.c
RUNTIME_TESTS = \
	tests/runtime/apart tests/runtime/campaign tests/runtime/children tests/runtime/disk \
	tests/runtime/end tests/runtime/failing tests/runtime/foreign_logs tests/runtime/fork \
	tests/runtime/jump tests/runtime/kill tests/runtime/pooled tests/runtime/records \
	tests/runtime/ring tests/runtime/sandbox tests/runtime/signals tests/runtime/stderr \
	tests/runtime/surroundings tests/runtime/threads tests/runtime/wrapping
test_programs += $(RUNTIME_TESTS)
RUNTIME_TEST_LIBS = tests/runtime/libscene.a libglimpse.la -lpthread
tests_runtime_apart_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_campaign_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_children_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_disk_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_end_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_failing_SOURCES = tests/runtime/failing.c tests/runtime/failures.c
tests_runtime_failing_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_failing_LDFLAGS = $(AM_LDFLAGS) -static
tests_runtime_foreign_logs_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_fork_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_jump_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_kill_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_pooled_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_records_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_ring_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_sandbox_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_signals_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_stderr_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_surroundings_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_threads_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_wrapping_LDADD = $(RUNTIME_TEST_LIBS)
tests_runtime_wrapping_LDFLAGS = $(AM_LDFLAGS) -static

check_PROGRAMS += tests/runtime/logdump
tests_runtime_logdump_LDADD = tests/runtime/libscene.a

# `make campaign`: a thousand SIGKILLs, and each system call of the runtime made to fail; minutes.
campaign: tests/runtime/campaign$(EXEEXT) tests/runtime/failing$(EXEEXT)
	GLIMPSE_KILLS=1000 tests/runtime/campaign$(EXEEXT)
	GLIMPSE_FAILURES=all tests/runtime/failing$(EXEEXT)
.PHONY: campaign
