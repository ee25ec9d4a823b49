/* Prints messages of `glimpse record` on standard error, where the program may be writing, too. */
#ifndef GLIMPSE_RECORDER_MESSAGES_H
#define GLIMPSE_RECORDER_MESSAGES_H

#include <stdbool.h>

#define RECORD_NAME "glimpse record"

/* Errors of our own, before the program runs; as env(1), whose program may end with any other. */
enum { RECORD_FAILED = 125 };

/* Prints a line, in one piece; not if messages_quiet is set. */
extern bool messages_quiet;
__attribute__((format(printf, 1, 2))) void record_note(const char *format, ...);
/* Prints an error. */
__attribute__((format(printf, 1, 2))) void record_error(const char *format, ...);
/* Prints an error, and ends with the status. */
__attribute__((format(printf, 2, 3), noreturn)) void record_fail(int status, const char *format,
								 ...);

#endif
