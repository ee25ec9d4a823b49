test_programs += tests/probes/stacks
tests_probes_stacks_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c \
	probes/unwind/pages.c probes/unwind/stacks.c runtime/system.c tests/probes/stacks.c
tests_probes_stacks_LDADD = -ldl -lpthread
# With flags of its own, objects are its own: those of the libraries are made with libtool.
tests_probes_stacks_CFLAGS = $(AM_CFLAGS)

test_programs += tests/probes/pages
tests_probes_pages_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c \
	probes/unwind/pages.c probes/unwind/stacks.c tests/probes/pages.c
tests_probes_pages_LDADD = -ldl -lpthread

test_programs += tests/probes/cfi_random
tests_probes_cfi_random_SOURCES = probes/unwind/cfi.c probes/unwind/cfi_expression.c tests/probes/cfi_random.c

test_programs += tests/probes/made_names_random
tests_probes_made_names_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/kernel_names_random
tests_probes_kernel_names_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/recorder_lines_random
tests_probes_recorder_lines_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/thinning
tests_probes_thinning_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/widening
tests_probes_widening_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/stack_numbers
tests_probes_stack_numbers_SOURCES = recorder/samples/stack_numbers.c tests/probes/stack_numbers.c
tests_probes_stack_numbers_CPPFLAGS = $(AM_CPPFLAGS) -DSTACK_NODES_MOST=300 -DSTACK_NUMBER_END='(STACK_NUMBER_FIRST + 20000)'
tests_probes_stack_numbers_LDADD = $(MATCH_LIBS)

test_programs += tests/probes/space_rules_random
tests_probes_space_rules_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/image_random
tests_probes_image_random_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/cause_waits
tests_probes_cause_waits_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/states_random
tests_probes_states_random_LDADD = librecorder.a $(MATCH_LIBS)
tests_probes_states_random_CPPFLAGS = $(librecorder_a_CPPFLAGS)

test_programs += tests/probes/sampled_random
tests_probes_sampled_random_LDADD = librecorder.a $(MATCH_LIBS)

test_programs += tests/probes/delays_random
tests_probes_delays_random_LDADD = librecorder.a $(MATCH_LIBS)

check_PROGRAMS += tests/probes/stack_lines
tests_probes_stack_lines_LDADD = $(MATCH_LIBS)

test_programs += tests/probes/go_table_random
tests_probes_go_table_random_LDADD = librecorder.a $(MATCH_LIBS)

# What `make check-refused` runs each test by.
check_PROGRAMS += tests/probes/ordinary
