test_programs += tests/analysis/activity/blocked_samples_random tests/analysis/replay/causal_profile tests/analysis/why/change_points \
	tests/analysis/replay/clients_random \
	tests/analysis/replay/crew_random tests/analysis/replay/fit_random \
	tests/analysis/activity/held_samples_random tests/analysis/replay/interval_random \
	tests/analysis/graph/longest_random tests/analysis/why/phases_random \
	tests/analysis/replay/predicted_time_random tests/analysis/replay/replay_random tests/analysis/replay/replay_stops \
	tests/analysis/graph/run_end_random tests/analysis/samples/sample_shares tests/analysis/activity/sampled_calls_random \
	tests/analysis/replay/schedule_random \
	tests/analysis/replay/share_random tests/analysis/why/why_random
tests_analysis_activity_blocked_samples_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_causal_profile_LDADD = $(MATCH_LIBS)
tests_analysis_why_change_points_LDADD = $(MATCH_LIBS)
tests_analysis_replay_clients_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_crew_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_fit_random_LDADD = $(MATCH_LIBS)
tests_analysis_activity_held_samples_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_interval_random_LDADD = $(MATCH_LIBS)
tests_analysis_graph_longest_random_LDADD = $(MATCH_LIBS)
tests_analysis_why_phases_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_predicted_time_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_replay_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_replay_stops_LDADD = $(MATCH_LIBS)
tests_analysis_graph_run_end_random_LDADD = $(MATCH_LIBS)
tests_analysis_samples_sample_shares_LDADD = $(MATCH_LIBS)
tests_analysis_activity_sampled_calls_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_schedule_random_LDADD = $(MATCH_LIBS)
tests_analysis_replay_share_random_LDADD = $(MATCH_LIBS)
tests_analysis_why_why_random_LDADD = $(MATCH_LIBS)

check_PROGRAMS += tests/analysis/flame/flame_windows tests/analysis/heap/heap_print tests/analysis/graph/paths \
	tests/analysis/samples/sampled_calls
tests_analysis_flame_flame_windows_LDADD = $(MATCH_LIBS)
tests_analysis_heap_heap_print_LDADD = $(MATCH_LIBS)
tests_analysis_graph_paths_LDADD = $(MATCH_LIBS)
tests_analysis_samples_sampled_calls_LDADD = $(MATCH_LIBS)
# All that finds instances is counted.
check_PROGRAMS += tests/analysis/why/matched_once
tests_analysis_why_matched_once_LDADD = $(MATCH_LIBS)
tests_analysis_why_matched_once_LDFLAGS = -Wl,--wrap,match_interval -Wl,--wrap,match_intervals -Wl,--wrap,join_sources_add

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
