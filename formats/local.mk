# formats: traces as other tools' files.

noinst_LIBRARIES += libformats.a
libformats_a_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_CFLAGS)
libformats_a_SOURCES = formats/export.c formats/export_calls.c formats/export_firefox.c \
	formats/export_graze.c formats/export_pprof.c \
	formats/firefox_markers.c formats/firefox_tables.c
nodist_libformats_a_SOURCES =
if PROTOBUF_C
nodist_libformats_a_SOURCES += formats/profile.pb-c.c
BUILT_SOURCES += formats/profile.pb-c.c
CLEANFILES += formats/profile.pb-c.c formats/profile.pb-c.h
formats/libformats_a-export_pprof.$(OBJEXT): formats/profile.pb-c.h
endif
formats/profile.pb-c.c: formats/profile.proto
	@$(MKDIR_P) formats
	$(AM_V_GEN)$(PROTOC_C) --proto_path=$(srcdir) --c_out=. $(srcdir)/formats/profile.proto
formats/profile.pb-c.h: formats/profile.pb-c.c
