# analysis: what threads, functions, locks and memory did.

noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = \
	analysis/activity/blocked_samples.c analysis/activity/cause_list.c analysis/activity/held_samples.c \
	analysis/activity/inner_causes.c analysis/activity/innermost.c analysis/activity/instance_set.c \
	analysis/activity/on_time.c analysis/activity/own_calls.c analysis/activity/sampled_calls.c \
	analysis/activity/roles.c analysis/activity/span_classes.c analysis/activity/span_text.c analysis/activity/subject.c analysis/activity/throttled.c analysis/activity/unrecorded.c \
	analysis/calls/call_sources.c analysis/calls/call_table.c analysis/calls/call_totals.c analysis/calls/call_tree.c \
	analysis/calls/call_walk.c analysis/calls/calls.c analysis/calls/sample_times.c \
	analysis/diff/changes.c analysis/diff/change_text.c analysis/diff/diff_functions.c analysis/diff/diff_intervals.c analysis/diff/diff_rows.c \
	analysis/diff/diff_tables.c \
	analysis/flame/flame.c analysis/flame/flame_heap.c analysis/flame/flame_time.c \
	analysis/flame/memory_window.c analysis/flame/off_cpu.c analysis/flame/time_window.c \
	analysis/flame/time_window_blocks.c analysis/flame/time_window_make.c \
	analysis/flame/time_window_store.c \
	analysis/graph/critical_path.c analysis/graph/graph.c analysis/graph/longest.c \
	analysis/graph/span_subset.c analysis/graph/run_end.c \
	analysis/graph/unknown.c analysis/graph/path_nodes.c \
	analysis/graph/guessed_wakers.c analysis/graph/timeline.c analysis/graph/tried_locks.c analysis/graph/tries.c \
	analysis/headline/causes.c analysis/headline/headline.c analysis/headline/headline_json.c \
	analysis/headline/headline_text.c \
	analysis/headline/line_parts.c analysis/headline/path_use.c analysis/headline/words.c \
	analysis/heap/heap.c analysis/heap/lifetimes.c \
	analysis/heap/peak.c analysis/heap/resident.c analysis/heap/unmatched_frees.c analysis/heap/unseen_ends.c \
	analysis/locks/hang_text.c analysis/locks/lock_causes.c analysis/locks/lock_hang.c \
	analysis/locks/lock_order.c analysis/activity/object_register.c \
	analysis/locks/lock_sources.c analysis/locks/lock_walk.c analysis/locks/locks.c analysis/locks/stuck.c \
	analysis/rank/measures.c analysis/rank/rank.c analysis/rank/subjects.c \
	analysis/replay/answer/answer_json.c analysis/replay/answer/changes_parse.c analysis/replay/answer/changes_text.c analysis/replay/answer/causal_profile.c analysis/replay/recorded/contention.c \
	analysis/replay/program/apart_waits.c analysis/replay/program/crew.c analysis/replay/recorded/deadlines.c analysis/replay/changes/device.c \
	analysis/replay/changes/device_model.c analysis/replay/changes/distribution.c analysis/replay/recorded/early_holds.c analysis/replay/recorded/event_counter.c \
	analysis/replay/changes/fit.c analysis/replay/changes/fit_value.c analysis/replay/items/hand_out.c \
	analysis/replay/items/hand_out_chunks.c analysis/replay/items/hand_out_locks.c \
	analysis/replay/items/hand_out_items.c analysis/replay/answer/interval.c analysis/replay/answer/clients.c \
	analysis/replay/answer/latencies.c analysis/replay/answer/limit.c \
	analysis/replay/changes/lock_excess.c analysis/replay/changes/lock_plan.c \
	analysis/replay/changes/slot_plan.c analysis/replay/recorded/model.c \
	analysis/replay/answer/next_bottleneck.c analysis/replay/program/operation_lists.c \
	analysis/replay/program/operations.c analysis/replay/answer/outcome.c analysis/replay/recorded/outside.c \
	analysis/replay/answer/paces.c analysis/replay/answer/placements.c \
	analysis/replay/answer/plan.c \
	analysis/replay/program/pieces.c analysis/replay/recorded/placement.c analysis/replay/reasons/poll_loop.c \
	analysis/replay/reasons/polling.c analysis/replay/reasons/poll_sleep.c analysis/replay/reasons/alone.c analysis/replay/reasons/preempted.c \
	analysis/replay/reasons/wait_reasons.c analysis/replay/program/operation_making.c analysis/replay/program/thread_items.c \
	analysis/replay/program/wait_operations.c analysis/replay/written/predicted.c analysis/replay/written/predicted_states.c \
	analysis/replay/answer/predicted_time.c analysis/replay/changes/change_order.c \
	analysis/replay/answer/prediction.c analysis/replay/answer/prediction_fork.c analysis/replay/answer/rank_replay.c \
	analysis/replay/recorded/readiness.c analysis/replay/answer/refusal.c \
	analysis/replay/machine/busy_waits.c analysis/replay/machine/device_queues.c analysis/replay/machine/happenings.c \
	analysis/replay/machine/lock_queues.c analysis/replay/machine/piece_pools.c analysis/replay/machine/posts.c \
	analysis/replay/machine/replay.c analysis/replay/machine/replay_steps.c analysis/replay/machine/run_queues.c \
	analysis/replay/machine/slices.c analysis/replay/machine/standstill.c analysis/replay/machine/thread_queues.c \
	analysis/replay/machine/thread_run.c analysis/replay/machine/wake_placement.c analysis/replay/machine/wake_ups.c \
	analysis/replay/answer/resampling.c analysis/replay/reasons/run_facts.c analysis/replay/changes/sampling_error.c analysis/replay/program/schedule.c \
	analysis/replay/program/share.c analysis/replay/changes/span_choice.c analysis/replay/changes/speeds.c analysis/replay/reasons/spin_loop.c \
	analysis/replay/answer/subject_fix.c analysis/replay/answer/sweep.c analysis/replay/program/team.c analysis/replay/answer/time_map.c \
	analysis/replay/reasons/timed_locks.c analysis/replay/reasons/timed_waits.c analysis/replay/recorded/told_to_end.c analysis/replay/answer/unexplained.c analysis/replay/reasons/wait_parts.c \
	analysis/samples/cut_stacks.c analysis/samples/moved_tasks.c analysis/samples/nameless.c analysis/samples/sample_share.c analysis/samples/sample_walk.c analysis/samples/samples.c analysis/samples/spinning.c \
	analysis/stacks/wait_stacks.c \
	analysis/states/processors.c analysis/states/states.c analysis/states/thread_waits.c \
	analysis/why/comparisons.c analysis/why/cost.c analysis/why/culprits.c analysis/why/event_sums.c analysis/why/together.c analysis/why/deadlock.c analysis/why/change_points.c analysis/why/instance_conditions.c \
	analysis/why/busy.c analysis/why/fixes.c analysis/why/fix_plan.c analysis/why/event_rates.c analysis/why/finding.c analysis/why/finding_text.c \
	analysis/why/focus.c analysis/why/axis_keys.c analysis/why/axis_sums.c analysis/why/blocks.c analysis/why/evidence.c analysis/why/evidence_collect.c analysis/why/holders.c analysis/why/idle.c analysis/why/meanwhile.c analysis/why/parts.c analysis/why/measures.c \
	analysis/why/event_requests.c analysis/why/openmp_teams.c analysis/why/paging.c analysis/why/paging_gain.c analysis/why/phases.c analysis/why/priorities.c analysis/why/queues.c analysis/why/search.c \
	analysis/why/search_json.c analysis/why/switches.c analysis/why/thread_groups.c analysis/why/throttling.c analysis/why/axes.c \
	analysis/why/why.c

# The ready-made hypotheses are installed, to be imported, and in the programs, to be always there.
dist_probespec_DATA += analysis/why/why.spec
BUILT_SOURCES += analysis/why/why_spec.h
CLEANFILES += analysis/why/why_spec.h
analysis/why/why.$(OBJEXT): analysis/why/why_spec.h
analysis/why/why_spec.h: analysis/why/why.spec
	$(AM_V_GEN)$(MKDIR_P) analysis/why && \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $(srcdir)/analysis/why/why.spec >$@
