test_programs += tests/spec/diag_test tests/spec/equal_test tests/spec/expr_test tests/spec/item_test \
	tests/spec/layout_test tests/spec/series_test
tests_spec_diag_test_LDADD = libgrammar.a libbase.a -lm
tests_spec_equal_test_LDADD = $(SPEC_LIBS)
tests_spec_expr_test_LDADD = $(SPEC_LIBS)
tests_spec_item_test_LDADD = $(SPEC_LIBS)
tests_spec_layout_test_SOURCES = codegen/reserved.c tests/spec/layout_test.c
tests_spec_layout_test_LDADD = $(SPEC_LIBS)
tests_spec_series_test_LDADD = libgrammar.a libbase.a -lm

check_PROGRAMS += tests/spec/speccheck
# Its installed specifications are in a folder of the test.
tests_spec_speccheck_CPPFLAGS = $(AM_CPPFLAGS) -DSPEC_FOLDER='"installed"'
tests_spec_speccheck_SOURCES = spec/import_path.c tests/spec/speccheck.c
tests_spec_speccheck_LDADD = $(SPEC_LIBS)
