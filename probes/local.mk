# probes: what is loaded into programs that nobody annotated.

# A probe's library is libglimpse-NAME.so, its specification probes/NAME/NAME.spec.
PROBE_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/runtime
# Each has -iquote for its generated header, not -I: <threads.h> is not that of probes/threads.
PROBE_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
PROBE_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
PROBE_LIBS = libglimpse.la -ldl

# libglimpse-record.so is in every recorded process: probes/follow_exec/README.md.
pkglib_LTLIBRARIES += libglimpse-record.la
libglimpse_record_la_SOURCES = \
	probes/follow_exec/any_call.c probes/follow_exec/environment.c probes/follow_exec/exec.c \
	probes/follow_exec/exit.c \
	probes/follow_exec/filter.c probes/follow_exec/fork.c probes/follow_exec/image.c probes/follow_exec/locked.c \
	probes/follow_exec/modules.c probes/follow_exec/thread_stacks.c runtime/system.c
libglimpse_record_la_CFLAGS = $(PROBE_CFLAGS)
libglimpse_record_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_record_la_LIBADD = $(PROBE_LIBS)

if THREADS_PROBE
pkglib_LTLIBRARIES += libglimpse-threads.la
endif
libglimpse_threads_la_SOURCES = \
	probes/auto_off.c probes/wrap.c \
	probes/threads/barrier.c probes/threads/channels.c probes/threads/child.c probes/threads/local_peer.c \
	probes/threads/condition.c \
	probes/threads/descriptors.c probes/threads/futex.c probes/threads/futex_words.c \
	probes/threads/held_locks.c \
	probes/threads/lock_auto_off.c probes/threads/lock_count.c probes/threads/lock_way.c \
	probes/threads/mutex.c probes/threads/once.c probes/threads/priority.c \
	probes/threads/real.c probes/threads/rwlock.c probes/threads/semaphore.c \
	probes/threads/signal.c \
	probes/threads/sleep.c probes/threads/spin.c probes/threads/streams.c \
	probes/threads/thread.c probes/threads/wait.c \
	probes/threads/wait_limit.c probes/threads/wait_stack.c \
	probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c probes/unwind/pages.c \
	probes/unwind/stacks.c \
	runtime/system.c runtime/text.c
nodist_libglimpse_threads_la_SOURCES = probes/threads/threads_glimpse.c probes/threads/threads_glimpse.h
libglimpse_threads_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote probes/threads -DSTACK_MOST=64 -U_FORTIFY_SOURCE
libglimpse_threads_la_CFLAGS = $(PROBE_CFLAGS) -fasynchronous-unwind-tables
libglimpse_threads_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_threads_la_LIBADD = $(PROBE_LIBS) -lpthread
# Both versions of the functions for condition variables, where the linker can define versions.
if VERSION_SCRIPT
libglimpse_threads_la_CPPFLAGS += -DTHREADS_OLD_VERSIONS
libglimpse_threads_la_LDFLAGS += -Wl,--version-script=$(srcdir)/probes/threads/versions.map
endif
EXTRA_libglimpse_threads_la_DEPENDENCIES = probes/threads/versions.map
$(libglimpse_threads_la_OBJECTS): probes/threads/threads_glimpse.h
CLEANFILES += probes/threads/threads_glimpse.c probes/threads/threads_glimpse.h
dist_probespec_DATA += probes/threads/threads.spec

pkglib_LTLIBRARIES += libglimpse-functions.la
libglimpse_functions_la_SOURCES = \
	probes/auto_off.c probes/wrap.c \
	probes/functions/calls.c probes/functions/choice.c probes/functions/contexts.c \
	probes/functions/names.c probes/functions/profile.c probes/functions/unwind.c \
	probes/functions/xray.c \
	runtime/system.c
nodist_libglimpse_functions_la_SOURCES = \
	probes/functions/functions_glimpse.c probes/functions/functions_glimpse.h
libglimpse_functions_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote probes/functions
libglimpse_functions_la_CFLAGS = $(PROBE_CFLAGS)
libglimpse_functions_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_functions_la_LIBADD = $(PROBE_LIBS) -lpthread
$(libglimpse_functions_la_OBJECTS): probes/functions/functions_glimpse.h
CLEANFILES += probes/functions/functions_glimpse.c probes/functions/functions_glimpse.h
dist_probespec_DATA += probes/functions/functions.spec

pkglib_LTLIBRARIES += libglimpse-memory.la
libglimpse_memory_la_SOURCES = \
	probes/auto_off.c \
	probes/memory/boot_alloc.c probes/memory/memory.c \
	probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c probes/unwind/pages.c \
	probes/unwind/stacks.c \
	runtime/system.c
nodist_libglimpse_memory_la_SOURCES = probes/memory/memory_glimpse.c probes/memory/memory_glimpse.h
libglimpse_memory_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote probes/memory
# The compiler must not make calls of the functions that the library defines.
libglimpse_memory_la_CFLAGS = $(PROBE_CFLAGS) -fno-builtin -fasynchronous-unwind-tables
libglimpse_memory_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_memory_la_LIBADD = $(PROBE_LIBS) -lpthread
$(libglimpse_memory_la_OBJECTS): probes/memory/memory_glimpse.h
CLEANFILES += probes/memory/memory_glimpse.c probes/memory/memory_glimpse.h
dist_probespec_DATA += probes/memory/memory.spec

# The recorder's specification: whoever takes the samples, they are the same events.
pkglib_LTLIBRARIES += libglimpse-samples.la
libglimpse_samples_la_SOURCES = \
	probes/samples/samples.c probes/samples/signals.c probes/samples/threads.c probes/samples/timers.c \
	probes/unwind/cfi.c probes/unwind/cfi_expression.c probes/unwind/loaded.c probes/unwind/pages.c \
	probes/unwind/stacks.c probes/wrap.c \
	runtime/system.c
nodist_libglimpse_samples_la_SOURCES = recorder/samples/samples_glimpse.c recorder/samples/samples_glimpse.h
# STACK_MOST: nothing is remembered of a thread's last stack, which would take room from each thread's stack.
libglimpse_samples_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote recorder/samples -DSTACK_MOST=1
libglimpse_samples_la_CFLAGS = $(PROBE_CFLAGS) -fasynchronous-unwind-tables
libglimpse_samples_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_samples_la_LIBADD = $(PROBE_LIBS) -lpthread
$(libglimpse_samples_la_OBJECTS): recorder/samples/samples_glimpse.h

pkglib_LTLIBRARIES += libglimpse-new.la
libglimpse_new_la_SOURCES = probes/new/operator_new.c probes/wrap.c
libglimpse_new_la_CPPFLAGS = $(PROBE_CPPFLAGS)
# Exceptions pass through.
libglimpse_new_la_CFLAGS = $(PROBE_CFLAGS) -fno-builtin -fasynchronous-unwind-tables
libglimpse_new_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_new_la_LIBADD = $(PROBE_LIBS)

pkglib_LTLIBRARIES += libglimpse-io.la
libglimpse_io_la_SOURCES = probes/io/io.c probes/io/names.c probes/io/vfork.c probes/wrap.c \
	runtime/system.c
nodist_libglimpse_io_la_SOURCES = probes/io/io_glimpse.c probes/io/io_glimpse.h
# The headers of fortified functions have definitions of their own of those that are defined here.
libglimpse_io_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote probes/io -U_FORTIFY_SOURCE
libglimpse_io_la_CFLAGS = $(PROBE_CFLAGS) -fno-builtin -fasynchronous-unwind-tables
libglimpse_io_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_io_la_LIBADD = $(PROBE_LIBS) -lpthread
$(libglimpse_io_la_OBJECTS): probes/io/io_glimpse.h
CLEANFILES += probes/io/io_glimpse.c probes/io/io_glimpse.h
dist_probespec_DATA += probes/io/io.spec

pkglib_LTLIBRARIES += libglimpse-openmp.la
libglimpse_openmp_la_SOURCES = \
	probes/wrap.c \
	probes/openmp/gomp.c probes/openmp/gomp_loops.c probes/openmp/gomp_regions.c \
	probes/openmp/gomp_tasks.c probes/openmp/gomp_waits.c probes/openmp/ompt.c \
	probes/openmp/team.c runtime/system.c
nodist_libglimpse_openmp_la_SOURCES = probes/openmp/openmp_glimpse.c probes/openmp/openmp_glimpse.h
libglimpse_openmp_la_CPPFLAGS = $(PROBE_CPPFLAGS) -iquote probes/openmp
libglimpse_openmp_la_CFLAGS = $(PROBE_CFLAGS)
libglimpse_openmp_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_openmp_la_LIBADD = $(PROBE_LIBS)
$(libglimpse_openmp_la_OBJECTS): probes/openmp/openmp_glimpse.h
CLEANFILES += probes/openmp/openmp_glimpse.c probes/openmp/openmp_glimpse.h
dist_probespec_DATA += probes/openmp/openmp.spec

# The probe java needs the headers of a JDK; its methods ASM as well.
dist_probespec_DATA += probes/java/java.spec
if JVMTI
pkglib_LTLIBRARIES += libglimpse-java.la
libglimpse_java_la_SOURCES = probes/java/agent.c probes/java/compiled.c probes/java/launcher.c \
	probes/java/releases.c probes/java/rests.c probes/wrap.c runtime/system.c
nodist_libglimpse_java_la_SOURCES = probes/java/java_glimpse.c probes/java/java_glimpse.h
libglimpse_java_la_CPPFLAGS = $(PROBE_CPPFLAGS) $(JVMTI_CPPFLAGS) -iquote probes/java
libglimpse_java_la_CFLAGS = $(PROBE_CFLAGS)
libglimpse_java_la_LDFLAGS = $(PROBE_LDFLAGS)
libglimpse_java_la_LIBADD = $(PROBE_LIBS)
if VERSION_SCRIPT
libglimpse_java_la_LDFLAGS += -Wl,--version-script=$(srcdir)/probes/java/versions.map
endif
EXTRA_libglimpse_java_la_DEPENDENCIES = probes/java/versions.map
$(libglimpse_java_la_OBJECTS): probes/java/java_glimpse.h
CLEANFILES += probes/java/java_glimpse.c probes/java/java_glimpse.h
endif
METHOD_CLASSES = $(wildcard $(srcdir)/probes/java/glimpse/probe/*.java)
if ASM
methodsdir = $(pkglibdir)
methods_DATA = glimpse-methods.jar
CLEANFILES += glimpse-methods.jar
glimpse-methods.jar: $(METHOD_CLASSES) runtime/java/make-jar probes/java/manifest
	$(AM_V_GEN)JAVAC='$(JAVAC)' JAR='$(JAR)' $(SHELL) $(srcdir)/runtime/java/make-jar $@ \
		$(srcdir)/probes/java/manifest '' $(ASM) $(srcdir)/probes/java/glimpse/probe/*.java
endif
