test_programs += tests/probes/unwind/stacks
tests_probes_unwind_stacks_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c \
	probes/unwind/pages.c probes/unwind/stacks.c runtime/system.c tests/probes/unwind/stacks.c
tests_probes_unwind_stacks_LDADD = -ldl -lpthread
# With flags of its own, objects are its own: those of the libraries are made with libtool.
tests_probes_unwind_stacks_CFLAGS = $(AM_CFLAGS)

test_programs += tests/probes/unwind/pages
tests_probes_unwind_pages_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c \
	probes/unwind/pages.c probes/unwind/stacks.c tests/probes/unwind/pages.c
tests_probes_unwind_pages_LDADD = -ldl -lpthread

test_programs += tests/probes/unwind/cfi_random
tests_probes_unwind_cfi_random_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c tests/probes/unwind/cfi_random.c

test_programs += tests/probes/samples/made_names_random
tests_probes_samples_made_names_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/samples/kernel_names_random
tests_probes_samples_kernel_names_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/merge/recorder_lines_random
tests_probes_merge_recorder_lines_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/samples/thinning
tests_probes_samples_thinning_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/samples/widening
tests_probes_samples_widening_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/samples/stack_numbers
tests_probes_samples_stack_numbers_SOURCES = recorder/samples/stack_numbers.c tests/probes/samples/stack_numbers.c
tests_probes_samples_stack_numbers_CPPFLAGS = $(AM_CPPFLAGS) -DSTACK_NODES_MOST=300 -DSTACK_NUMBER_END='(STACK_NUMBER_FIRST + 20000)'
tests_probes_samples_stack_numbers_LDADD = $(MATCH_LIBS)

test_programs += tests/probes/samples/space_rules_random
tests_probes_samples_space_rules_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/samples/image_random
tests_probes_samples_image_random_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/merge/cause_waits
tests_probes_merge_cause_waits_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/scheduler/states_random
tests_probes_scheduler_states_random_LDADD = librecorder.a $(MATCH_LIBS)
tests_probes_scheduler_states_random_CPPFLAGS = $(librecorder_a_CPPFLAGS)

test_programs += tests/probes/merge/sampled_random
tests_probes_merge_sampled_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/merge/delays_random
tests_probes_merge_delays_random_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/names/stack_lines
tests_probes_names_stack_lines_LDADD = $(MATCH_LIBS)

test_programs += tests/probes/samples/go_table_random
tests_probes_samples_go_table_random_LDADD = librecorder.a $(MATCH_LIBS)

# What `make check-refused` runs each test by.
check_PROGRAMS += tests/probes/ordinary
