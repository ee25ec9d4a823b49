test_programs += tests/symbols/modules_test
tests_symbols_modules_test_LDADD = $(TRACE_LIBS)
