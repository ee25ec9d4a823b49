check_PROGRAMS += tests/sql/random_case
tests_sql_random_case_SOURCES = \
	tests/match/random_log.c tests/match/random_spec.c tests/sql/random_case.c
tests_sql_random_case_LDADD = $(MATCH_LIBS)
