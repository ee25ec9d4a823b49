/* Reads files of options: `glimpse record @FILE`. */
#ifndef GLIMPSE_CLI_RECORD_OPTIONS_FILE_H
#define GLIMPSE_CLI_RECORD_OPTIONS_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A line of the file, parted into words. */
struct options_line {
	unsigned number; /* from 1 */
	char **words;
	size_t nwords;
};

struct options_file {
	struct options_line *lines; /* without those that have no word */
	size_t nlines;
};

/*
 * Reads a file of words as a shell would: parted by blanks, ' and " and \ quote, # begins a comment
 * where a word may begin. A word does not go on in the next line. Returns NULL, or what is wrong,
 * to be freed: with the line, or with line 0 if the file cannot be read.
 */
char *options_file_read(struct options_file *f, const char *path, unsigned *line);

#endif
