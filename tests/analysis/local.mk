test_programs += tests/analysis/blocked_samples_random tests/analysis/causal_profile tests/analysis/change_points \
	tests/analysis/crew_random tests/analysis/fit_random \
	tests/analysis/held_samples_random tests/analysis/interval_random \
	tests/analysis/longest_random tests/analysis/phases_random \
	tests/analysis/predicted_time_random tests/analysis/replay_random tests/analysis/replay_stops \
	tests/analysis/run_end_random tests/analysis/sample_shares tests/analysis/sampled_calls_random \
	tests/analysis/schedule_random \
	tests/analysis/share_random tests/analysis/why_random
tests_analysis_blocked_samples_random_LDADD = $(MATCH_LIBS)
tests_analysis_causal_profile_LDADD = $(MATCH_LIBS)
tests_analysis_change_points_LDADD = $(MATCH_LIBS)
tests_analysis_crew_random_LDADD = $(MATCH_LIBS)
tests_analysis_fit_random_LDADD = $(MATCH_LIBS)
tests_analysis_held_samples_random_LDADD = $(MATCH_LIBS)
tests_analysis_interval_random_LDADD = $(MATCH_LIBS)
tests_analysis_longest_random_LDADD = $(MATCH_LIBS)
tests_analysis_phases_random_LDADD = $(MATCH_LIBS)
tests_analysis_predicted_time_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_stops_LDADD = $(MATCH_LIBS)
tests_analysis_run_end_random_LDADD = $(MATCH_LIBS)
tests_analysis_sample_shares_LDADD = $(MATCH_LIBS)
tests_analysis_sampled_calls_random_LDADD = $(MATCH_LIBS)
tests_analysis_schedule_random_LDADD = $(MATCH_LIBS)
tests_analysis_share_random_LDADD = $(MATCH_LIBS)
tests_analysis_why_random_LDADD = $(MATCH_LIBS)

check_PROGRAMS += tests/analysis/flame_windows tests/analysis/heap_print tests/analysis/paths \
	tests/analysis/sampled_calls
tests_analysis_flame_windows_LDADD = $(MATCH_LIBS)
tests_analysis_heap_print_LDADD = $(MATCH_LIBS)
tests_analysis_paths_LDADD = $(MATCH_LIBS)
tests_analysis_sampled_calls_LDADD = $(MATCH_LIBS)
# All that finds instances is counted.
check_PROGRAMS += tests/analysis/matched_once
tests_analysis_matched_once_LDADD = $(MATCH_LIBS)
tests_analysis_matched_once_LDFLAGS = -Wl,--wrap,match_interval -Wl,--wrap,match_intervals -Wl,--wrap,join_sources_add

test_programs += tests/analysis/simulated/simulated
tests_analysis_simulated_simulated_SOURCES = tests/analysis/simulated/computer.c tests/analysis/simulated/log.c \
	tests/analysis/simulated/workload.c tests/analysis/simulated/simulated.c
tests_analysis_simulated_simulated_LDADD = $(MATCH_LIBS)

# The recorder's probe is compiled into it, with another kernel and another clock.
test_programs += tests/analysis/simulated/loop
tests_analysis_simulated_loop_SOURCES = tests/analysis/simulated/computer.c tests/analysis/simulated/kernel.c \
	tests/analysis/simulated/log.c tests/analysis/simulated/loop.c tests/analysis/simulated/recorder.c \
	tests/analysis/simulated/workload.c
tests_analysis_simulated_loop_LDADD = librecorder.a $(MATCH_LIBS)
tests_analysis_simulated_loop_CPPFLAGS = $(librecorder_a_CPPFLAGS)
