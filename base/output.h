/*
 * Files and directories that appear when they are complete, all together, or not at all. Each is
 * made under a temporary name beside its own, and renamed at the end; until then what was there
 * before stays. An error, or a signal that ends the program, leaves nothing behind.
 */
#ifndef GLIMPSE_BASE_OUTPUT_H
#define GLIMPSE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output;

enum {
	OUTPUT_NEW = 1,     /* nothing is replaced: a file that exists is an error */
	OUTPUT_PRIVATE = 2, /* only the user may read the files */
};

/*
 * Begins the only output of a program; files go to a folder, or, if that is NULL, where their names
 * say. Calls fail(context, path) with errno set if something cannot be made; after that the output
 * can only be ended.
 */
struct output *output_begin(const char *folder, unsigned flags,
			    void (*fail)(void *context, const char *path), void *context);

/*
 * Returns the stream of a new file, which belongs to the output, or NULL after an error. Something
 * that is no regular file (a pipe) is written in place; of links only those of the system are
 * followed (/dev/stdout), any other is replaced.
 */
__attribute__((format(printf, 2, 3))) FILE *output_file(struct output *o, const char *format, ...);

/*
 * Returns the temporary name of a file of the output, for a library that writes by name, or NULL if
 * the file is written in place. The library makes no other files.
 */
const char *output_file_name(const struct output *o, const FILE *stream);

/*
 * Returns the temporary name of a new directory, or NULL after an error. The caller fills it with
 * files and stops when output_interrupted(): then a signal waits until the output has ended.
 */
const char *output_directory(struct output *o, const char *path);
bool output_interrupted(void);
/*
 * Removes the files that the program was writing, which is about to end; may be called in a signal
 * handler.
 */
void output_remove(void);

/* Puts all in place and ends the output; returns false if there was an error. */
bool output_commit(struct output *o);
/* Ends the output, and leaves nothing. */
void output_discard(struct output *o);

#endif
