/* Lists that break their line where it would grow too long. */
#ifndef GLIMPSE_CODEGEN_WRAP_H
#define GLIMPSE_CODEGEN_WRAP_H

#include <stdio.h>

struct wrap {
	FILE *out;
	unsigned column;        /* bytes that stand on the line, a tab counted as 8 */
	const char *between;    /* what stands between two lines: "\n" and white space */
};

enum { WRAP_COLUMNS = 100 };

/*
 * Prints the item, on a further line when it does not fit on this one; a space that it begins with
 * is then dropped. An item holds no tab or newline.
 */
__attribute__((format(printf, 2, 3)))
void wrap_item(struct wrap *w, const char *format, ...);

#endif
