/*
 * Reads the file `made` of a log directory: names of code that the program generated at run time,
 * or of kernel code. Its lines are not trusted, like the lines of the file `modules` (modules.h).
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_MADE_CODE_H
#define GLIMPSE_TRACE_SYMBOLS_MADE_CODE_H

#include "base/array.h"
#include <stdint.h>

/* Code in the process, [start, end), that had a name from a time on. */
struct made_code {
	uint64_t start, end;
	int64_t time;
	size_t line; /* names of one time: the later line counts */
	char *name;  /* all of it visible */
};

/* Of one process, in ascending order of start. A struct of zeros has none. */
struct made_codes {
	VECTOR(struct made_code) list;
	uint64_t *ends; /* the greatest end of each one and all before it */
};

/* More lines than this are not kept, and more bytes of the file are not to be read. */
enum { MADE_CODES_MOST = 1 << 17, MADE_CODES_SIZE = 1 << 27 };

/*
 * Reads the text of a file `made`, n bytes; a line that cannot be read is left out. time() as in
 * modules_read().
 */
void made_codes_read(struct made_codes *m, const char *text, size_t n,
		     int64_t (*time)(const void *context, uint64_t ticks), const void *context);
void made_codes_clear(struct made_codes *m);

/*
 * Returns the code that an address is in: what had its name last at that time or, before any had,
 * the first one. NULL: none has a name there.
 */
const struct made_code *made_codes_at(const struct made_codes *m, uint64_t address, int64_t time);

#endif
