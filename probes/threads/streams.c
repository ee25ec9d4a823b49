/*
 * Waits by the functions of <stdio.h>, which read and write descriptors inside of the C library.
 * Only a call that filled or flushed the stream's buffer is logged. A character costs one
 * comparison if the buffer has it, or has room; a call on a file costs one look at a table. For
 * glibc alone, whose streams can be inspected. Another thread may use the stream meanwhile: then
 * a call may be logged that did neither.
 */
#include "probes/threads/channels.h"
#include "probes/threads/threads.h"
#include <stdarg.h>
#include <string.h>

#ifdef __GLIBC__

/* What is left in a stream's buffer. */
struct buffered {
	const char *at, *end;
};

static struct buffered buffered_in(const FILE *file)
{
	return (struct buffered){file->_IO_read_ptr, file->_IO_read_end};
}

/* Whether the descriptor was read since: the buffer was empty, has another end, or began again. */
static bool is_filled(const struct buffered *before, const FILE *file)
{
	struct buffered now = buffered_in(file);

	return before->at >= before->end || now.end != before->end || now.at < before->at;
}

/* A line or a block may need more than the buffer has. */
#define READS_MORE(file) true
#define READS_ONE(file) (file->_IO_read_ptr >= file->_IO_read_end)

/* ---- Input ----------------------------------------------------------------------------------- */

static bool may_wait(const FILE *file)
{
	return channel_kind_of(file->_fileno) > CHANNEL_FILE;
}

static void stream_read(FILE *file, const struct buffered *before, uint64_t since, bool some,
			const void *site)
{
	int error = errno;

	if (is_filled(before, file))
		descriptor_read(file->_fileno, since,
				some         ? 1
				: feof(file) ? 0
					     : -(int64_t)error,
				site);
	errno = error;
}

/* some: whether the program got something. */
#define INPUT(type, name, parameters, arguments, file, reads, some) \
	WRAP_EXPORT type name parameters \
	{ \
		struct buffered before; \
		uint64_t since; \
		type result; \
\
		if (QUIET() || !reads(file) || !may_wait(file)) \
			return REAL(name) arguments; \
		before = buffered_in(file); \
		since = glimpse_now(); \
		result = REAL(name) arguments; \
		stream_read(file, &before, since, some, WRAP_SITE); \
		return result; \
	}

#undef getc
#undef getchar
#undef fread_unlocked

INPUT(int, fgetc, (FILE * file), (file), file, READS_ONE, result != EOF)
INPUT(int, getc, (FILE * file), (file), file, READS_ONE, result != EOF)
INPUT(int, getchar, (void), (), stdin, READS_ONE, result != EOF)
/* What getc_unlocked() and its relatives call. */
INPUT(int, __uflow, (FILE * file), (file), file, READS_ONE, result != EOF)
INPUT(char *, fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file), file,
      READS_MORE, result)
INPUT(char *, fgets_unlocked, (char *restrict to, int size, FILE *restrict file), (to, size, file),
      file, READS_MORE, result)
INPUT(size_t, fread, (void *restrict to, size_t size, size_t n, FILE *restrict file),
      (to, size, n, file), file, READS_MORE, result)
INPUT(size_t, fread_unlocked, (void *restrict to, size_t size, size_t n, FILE *restrict file),
      (to, size, n, file), file, READS_MORE, result)
INPUT(ssize_t, getline, (char **restrict to, size_t *restrict size, FILE *restrict file),
      (to, size, file), file, READS_MORE, result != -1)
INPUT(ssize_t, getdelim,
      (char **restrict to, size_t *restrict size, int delimiter, FILE *restrict file),
      (to, size, delimiter, file), file, READS_MORE, result != -1)
/* What getline() is with optimization. */
INPUT(ssize_t, __getdelim,
      (char **restrict to, size_t *restrict size, int delimiter, FILE *restrict file),
      (to, size, delimiter, file), file, READS_MORE, result != -1)
/* What programs call that were compiled with _FORTIFY_SOURCE. */
INPUT(char *, __fgets_chk, (char *restrict to, size_t room, int size, FILE *restrict file),
      (to, room, size, file), file, READS_MORE, result)
INPUT(char *, __fgets_unlocked_chk, (char *restrict to, size_t room, int size, FILE *restrict file),
      (to, room, size, file), file, READS_MORE, result)
INPUT(size_t, __fread_chk,
      (void *restrict to, size_t room, size_t size, size_t n, FILE *restrict file),
      (to, room, size, n, file), file, READS_MORE, result)
INPUT(size_t, __fread_unlocked_chk,
      (void *restrict to, size_t room, size_t size, size_t n, FILE *restrict file),
      (to, room, size, n, file), file, READS_MORE, result)

/* ---- Output ---------------------------------------------------------------------------------- */

static ptrdiff_t pending_in(const FILE *file)
{
	return file->_IO_write_ptr - file->_IO_write_base;
}

/* The stream had `before` bytes pending and got that many more; failed: the call did. */
static void stream_written(FILE *file, ptrdiff_t before, size_t more, uint64_t since, bool failed,
			   const void *site)
{
	int error = errno;

	if (failed || pending_in(file) != before + (ptrdiff_t)more)
		descriptor_written(file->_fileno, since, failed ? -(int64_t)error : 1, site);
	errno = error;
}

#define WRITES_MORE(file) true
#define WRITES_ONE(file) (file->_IO_write_ptr >= file->_IO_write_end)

/* more: how many bytes the stream gets. */
#define OUTPUT(type, name, parameters, arguments, file, writes, more, failed) \
	WRAP_EXPORT type name parameters \
	{ \
		ptrdiff_t before; \
		uint64_t since; \
		type result; \
\
		if (QUIET() || !writes(file) || !may_wait(file)) \
			return REAL(name) arguments; \
		before = pending_in(file); \
		since = glimpse_now(); \
		result = REAL(name) arguments; \
		stream_written(file, before, more, since, failed, WRAP_SITE); \
		return result; \
	}
/* A function with arguments after `format`; next: the one that takes a list of them. */
#define PRINT(name, parameters, next, arguments, file) \
	WRAP_EXPORT int name parameters \
	{ \
		bool seen = !QUIET() && may_wait(file); \
		ptrdiff_t before = seen ? pending_in(file) : 0; \
		uint64_t since = seen ? glimpse_now() : 0; \
		va_list list; \
		int result; \
\
		va_start(list, format); \
		result = REAL(next) arguments; \
		va_end(list); \
		if (seen) \
			stream_written(file, before, (size_t)result, since, result < 0, \
				       WRAP_SITE); \
		return result; \
	}

#undef putc
#undef putchar
#undef fwrite_unlocked
#undef fputs_unlocked

OUTPUT(int, fputc, (int c, FILE *file), (c, file), file, WRITES_ONE, 1, result == EOF)
OUTPUT(int, putc, (int c, FILE *file), (c, file), file, WRITES_ONE, 1, result == EOF)
OUTPUT(int, putchar, (int c), (c), stdout, WRITES_ONE, 1, result == EOF)
/* What putc_unlocked() and its relatives call. */
OUTPUT(int, __overflow, (FILE * file, int c), (file, c), file, WRITES_ONE, 1, result == EOF)
OUTPUT(int, puts, (const char *text), (text), stdout, WRITES_MORE, strlen(text) + 1, result == EOF)
OUTPUT(int, fputs, (const char *restrict text, FILE *restrict file), (text, file), file,
       WRITES_MORE, strlen(text), result == EOF)
OUTPUT(int, fputs_unlocked, (const char *restrict text, FILE *restrict file), (text, file), file,
       WRITES_MORE, strlen(text), result == EOF)
OUTPUT(size_t, fwrite, (const void *restrict from, size_t size, size_t n, FILE *restrict file),
       (from, size, n, file), file, WRITES_MORE, size *n, result < n)
OUTPUT(size_t, fwrite_unlocked,
       (const void *restrict from, size_t size, size_t n, FILE *restrict file),
       (from, size, n, file), file, WRITES_MORE, size *n, result < n)
OUTPUT(int, fflush, (FILE * file), (file), (file ? file : stdout), WRITES_MORE, 0, result == EOF)
OUTPUT(int, vprintf, (const char *restrict format, va_list list), (format, list), stdout,
       WRITES_MORE, (size_t)result, result < 0)
OUTPUT(int, vfprintf, (FILE *restrict file, const char *restrict format, va_list list),
       (file, format, list), file, WRITES_MORE, (size_t)result, result < 0)
OUTPUT(int, __vprintf_chk, (int flag, const char *restrict format, va_list list),
       (flag, format, list), stdout, WRITES_MORE, (size_t)result, result < 0)
OUTPUT(int, __vfprintf_chk,
       (FILE *restrict file, int flag, const char *restrict format, va_list list),
       (file, flag, format, list), file, WRITES_MORE, (size_t)result, result < 0)
PRINT(printf, (const char *restrict format, ...), vprintf, (format, list), stdout)
PRINT(fprintf, (FILE *restrict file, const char *restrict format, ...), vfprintf,
      (file, format, list), file)
PRINT(__printf_chk, (int flag, const char *restrict format, ...), __vprintf_chk,
      (flag, format, list), stdout)
PRINT(__fprintf_chk, (FILE *restrict file, int flag, const char *restrict format, ...),
      __vfprintf_chk, (file, flag, format, list), file)

void stream_ends(FILE *file, const void *site)
{
	if (file && pending_in(file) > 0 && may_wait(file))
		descriptor_written(file->_fileno, glimpse_now(), 1, site);
}

#else

void stream_ends(FILE *file, const void *site)
{
	(void)file;
	(void)site;
}

#endif
