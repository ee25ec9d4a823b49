test_programs += tests/viewers/colours tests/viewers/gorge_page tests/viewers/gorge_parts
tests_viewers_colours_LDADD = $(GORGE_LIBS) -lm
tests_viewers_gorge_page_SOURCES = tests/viewers/gorge_oracle.c tests/viewers/gorge_page.c
tests_viewers_gorge_page_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_parts_LDADD = $(GORGE_LIBS)

test_programs += tests/viewers/nibble_operators tests/viewers/nibble_pool tests/viewers/nibble_series \
	tests/viewers/nibble_tally
tests_viewers_nibble_operators_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_pool_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_series_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_tally_LDADD = $(NIBBLE_LIBS)

check_PROGRAMS += tests/viewers/gorge_folds tests/viewers/gorge_growth tests/viewers/gorge_lanes \
	tests/viewers/gorge_order tests/viewers/gorge_picks tests/viewers/gorge_questions tests/viewers/gorge_reasons \
	tests/viewers/gorge_redefine tests/viewers/gorge_windows
tests_viewers_gorge_folds_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_growth_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_lanes_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_order_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_picks_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_questions_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_reasons_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_redefine_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_windows_SOURCES = tests/viewers/gorge_oracle.c tests/viewers/gorge_windows.c
tests_viewers_gorge_windows_LDADD = $(GORGE_LIBS)
