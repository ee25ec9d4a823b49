# viewers: what gorge and nibble share.

noinst_LIBRARIES += libviewers.a
libviewers_a_SOURCES = \
	viewers/confine_viewer.c viewers/gnuplot.c viewers/palette.c viewers/select.c \
	viewers/suffix.c viewers/thread_places.c \
	viewers/web/admission.c viewers/web/browser.c viewers/web/leading_page.c \
	viewers/web/server.c
libviewers_a_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS)
