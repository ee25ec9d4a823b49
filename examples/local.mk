# examples: pgz, messages and matrix stand beside the tools; they are built as a user's program would be, and not
# installed. Those in Fortran and Java are built by their tests and by the commands in their READMEs.

noinst_PROGRAMS += pgz messages matrix
pgz_SOURCES = \
	examples/pgz/block.c examples/pgz/gzip.c examples/pgz/job.c examples/pgz/options.c \
	examples/pgz/output.c examples/pgz/pgz.c examples/pgz/queue.c examples/pgz/reader.c \
	examples/pgz/sequence.c examples/pgz/worker.c examples/pgz/writer.c
nodist_pgz_SOURCES = examples/pgz/pgz_glimpse.c examples/pgz/pgz_glimpse.h
pgz_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/runtime -Iexamples/pgz
pgz_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS)
pgz_LDADD = libglimpse.la $(ZLIB_LIBS) -lpthread
$(pgz_OBJECTS): examples/pgz/pgz_glimpse.h
CLEANFILES += examples/pgz/pgz_glimpse.c examples/pgz/pgz_glimpse.h

messages_SOURCES = \
	examples/messages/mailbox.c examples/messages/messages.c examples/messages/plate.c
nodist_messages_SOURCES = examples/messages/messages_glimpse.c examples/messages/messages_glimpse.h
messages_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/runtime -Iexamples/messages
messages_LDADD = libglimpse.la -lpthread
$(messages_OBJECTS): examples/messages/messages_glimpse.h
CLEANFILES += examples/messages/messages_glimpse.c examples/messages/messages_glimpse.h

matrix_SOURCES = examples/matrix/matrix.c
nodist_matrix_SOURCES = examples/matrix/matrix_glimpse.c examples/matrix/matrix_glimpse.h
matrix_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/runtime -Iexamples/matrix
matrix_LDADD = libglimpse.la -lpthread -lm
$(matrix_OBJECTS): examples/matrix/matrix_glimpse.h
CLEANFILES += examples/matrix/matrix_glimpse.c examples/matrix/matrix_glimpse.h
