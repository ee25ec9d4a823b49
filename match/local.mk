# match: finds intervals, and what they add up to.

noinst_LIBRARIES += libmatch.a
libmatch_a_SOURCES = \
	match/comparisons/kd_answer.c match/comparisons/kd_batch.c match/comparisons/kd_build.c \
	match/comparisons/kd_tree.c match/comparisons/max_tree.c match/comparisons/queries.c \
	match/eval/formula.c match/eval/machine.c match/eval/program.c \
	match/join/anchor_filter.c match/join/end_values.c match/join/group.c match/join/match.c \
	match/join/oracle.c match/join/pair_stream.c match/join/partition.c \
	match/join/row_reader.c match/join/candidate_filter.c \
	match/join/stream_join.c match/join/thread_join.c match/join/waiting_list.c \
	match/plan/comparison.c match/plan/explain.c match/plan/plan.c match/plan/row.c \
	match/stats/account.c match/stats/assertions.c match/stats/crossing.c \
	match/stats/depth.c match/stats/grouped.c match/stats/keys.c match/stats/run_test.c \
	match/stats/series.c match/stats/significance.c match/stats/tally.c
