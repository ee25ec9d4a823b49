/*
 * Reads the file `names` of a log directory: what the program and its libraries said of the run's
 * addresses when it was recorded. It counts where such a file is gone or has changed. Its lines are
 * not trusted.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_STORED_NAMES_H
#define GLIMPSE_TRACE_SYMBOLS_STORED_NAMES_H

#include "trace/symbols/image.h"

/* More bytes of the file are not to be read. */
enum { STORED_NAMES_SIZE = 1 << 26 };

struct stored_names;
/* The names that are stored of a program or library. */
struct stored_file;

struct stored_names *stored_names_read(const char *text, size_t n);
void stored_names_free(struct stored_names *s);

/* Returns NULL if nothing is stored; s may be NULL. */
const struct stored_file *stored_file_find(const struct stored_names *s, const char *path,
					   const struct build_id *id);

/* These answer as the functions image_...() of image.h do. */
void stored_range(const struct stored_file *f, uint64_t *low, uint64_t *high);
bool stored_function(const struct stored_file *f, uint64_t address, struct place *p);
bool stored_variable(const struct stored_file *f, uint64_t address, struct place *p);
char *stored_member(const struct stored_file *f, uint64_t address);
const char *stored_line(const struct stored_file *f, uint64_t address, unsigned *line);
size_t stored_inlined(const struct stored_file *f, uint64_t address,
		      struct inlined_call calls[INLINED_MOST]);

#endif
