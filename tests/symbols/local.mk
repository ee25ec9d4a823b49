test_programs += tests/symbols/modules_test
tests_symbols_modules_test_LDADD = $(TRACE_LIBS)
test_programs += tests/symbols/unwind_test
tests_symbols_unwind_test_LDADD = $(TRACE_LIBS)
test_programs += tests/symbols/inlined_test
tests_symbols_inlined_test_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_LIBDW
tests_symbols_inlined_test_LDADD = $(TRACE_LIBS)
