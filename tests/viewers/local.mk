test_programs += tests/viewers/gorge/style/colours tests/viewers/gorge/draw/page tests/viewers/gorge/style/parts
tests_viewers_gorge_style_colours_LDADD = $(GORGE_LIBS) -lm
tests_viewers_gorge_draw_page_SOURCES = tests/viewers/gorge/scene/oracle.c tests/viewers/gorge/draw/page.c
tests_viewers_gorge_draw_page_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_style_parts_LDADD = $(GORGE_LIBS)

test_programs += tests/viewers/nibble/operators tests/viewers/nibble/pool tests/viewers/nibble/series \
	tests/viewers/nibble/tally
tests_viewers_nibble_operators_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_pool_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_series_LDADD = $(NIBBLE_LIBS)
tests_viewers_nibble_tally_LDADD = $(NIBBLE_LIBS)

check_PROGRAMS += tests/viewers/gorge/build/folds tests/viewers/gorge/index/growth tests/viewers/gorge/build/lanes \
	tests/viewers/gorge/index/order tests/viewers/gorge/query/picks tests/viewers/gorge/query/questions tests/viewers/gorge/index/reasons \
	tests/viewers/gorge/query/redefine tests/viewers/gorge/scene/windows
tests_viewers_gorge_build_folds_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_index_growth_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_build_lanes_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_index_order_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_query_picks_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_query_questions_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_index_reasons_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_query_redefine_LDADD = $(GORGE_LIBS)
tests_viewers_gorge_scene_windows_SOURCES = tests/viewers/gorge/scene/oracle.c tests/viewers/gorge/scene/windows.c
tests_viewers_gorge_scene_windows_LDADD = $(GORGE_LIBS)
