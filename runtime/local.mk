# runtime: libglimpse, which annotated programs link.

lib_LTLIBRARIES += libglimpse.la
# The loader finds a new library through its cache, which root alone can write.
install-exec-hook:
	@test -n "$(DESTDIR)" || PATH="$$PATH:/sbin:/usr/sbin" ldconfig 2>/dev/null || :
include_HEADERS = runtime/glimpse.h
pkgconfig_DATA = runtime/glimpse.pc
dist_pkgdata_DATA = runtime/glimpse.f90
libglimpse_la_SOURCES = \
	runtime/aio.c runtime/append.c runtime/clock.c runtime/container.c runtime/cost.c \
	runtime/descriptor.c runtime/directory.c runtime/event.c runtime/file.c runtime/filter.c \
	runtime/foreign_log.c runtime/fork.c \
	runtime/fortran.c runtime/guard.c runtime/job.c runtime/log.c runtime/map_replace.c \
	runtime/map_unlocked.c runtime/module_walk.c runtime/modules.c runtime/note_record.c runtime/object_names.c runtime/openmp.c \
	runtime/pairs.c runtime/pool.c runtime/process.c runtime/registry.c runtime/request.c runtime/retention.c \
	runtime/ring.c runtime/run.c runtime/side_files.c runtime/snapshot.c runtime/stack.c \
	runtime/system.c runtime/tail.c runtime/tails_directory.c runtime/text.c runtime/thread.c \
	runtime/thread_tails.c runtime/vdso.c runtime/warning.c
# The version script names what is exported; without one, all of this name is.
libglimpse_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined -Wl,-z,nodelete
if VERSION_SCRIPT
libglimpse_la_LDFLAGS += -Wl,--version-script=$(srcdir)/runtime/libglimpse.map
else
libglimpse_la_LDFLAGS += -export-symbols-regex '^glimpse_'
endif
EXTRA_libglimpse_la_DEPENDENCIES = runtime/libglimpse.map
libglimpse_la_LIBADD = -lpthread
