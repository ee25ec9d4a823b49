test_programs += tests/golden/json tests/golden/output
tests_golden_json_LDADD = $(SPEC_LIBS)
tests_golden_output_LDADD = libbase.a

check_PROGRAMS += tests/golden/logtext
tests_golden_logtext_LDADD = $(SPEC_LIBS)
