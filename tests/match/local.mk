test_programs += tests/match/kd_tree_random tests/match/match_random tests/match/match_ways \
	tests/match/pair_stream_random tests/match/quantiles tests/match/run_test tests/match/significance \
	tests/match/thread_join_random
tests_match_kd_tree_random_LDADD = $(MATCH_LIBS)
tests_match_match_random_SOURCES = \
	tests/match/match_random.c tests/match/random_log.c tests/match/random_spec.c
tests_match_match_random_LDADD = $(MATCH_LIBS)
tests_match_match_ways_SOURCES = bench/forms.c tests/match/match_ways.c
tests_match_match_ways_LDADD = $(MATCH_LIBS)
tests_match_pair_stream_random_SOURCES = \
	tests/match/pair_stream_random.c tests/match/random_log.c tests/match/random_spec.c
tests_match_pair_stream_random_LDADD = $(MATCH_LIBS)
tests_match_quantiles_LDADD = $(MATCH_LIBS)
tests_match_run_test_LDADD = $(MATCH_LIBS)
tests_match_significance_LDADD = $(MATCH_LIBS)
tests_match_thread_join_random_SOURCES = \
	tests/match/random_log.c tests/match/random_spec.c tests/match/thread_join_random.c
tests_match_thread_join_random_LDADD = $(MATCH_LIBS)

check_PROGRAMS += tests/match/candidate_filter tests/match/tallies
tests_match_candidate_filter_LDADD = $(MATCH_LIBS)
tests_match_tallies_LDADD = $(MATCH_LIBS)
