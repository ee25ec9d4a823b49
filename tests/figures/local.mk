check_PROGRAMS += tests/figures/logs tests/figures/unwinds
tests_figures_logs_LDADD = tests/runtime/libscene.a libglimpse.la -lpthread
tests_figures_logs_LDFLAGS = -static
tests_figures_unwinds_LDADD = librecorder.a $(MATCH_LIBS)
tests/figures/figures.log: bench/storm$(EXEEXT)
