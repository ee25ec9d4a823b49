/*
 * A log directory in memory, filled from an input: files, each as a byte that chooses its name, two
 * bytes length (little endian) and content. Of tails the first 128 bytes are the header and of
 * process files the first 512; the rest stands at 4096.
 */
#ifndef GLIMPSE_TESTS_FUZZ_FILES_H
#define GLIMPSE_TESTS_FUZZ_FILES_H

#include <stddef.h>

/*
 * Returns the path of a directory that is removed at the end, with the specification messages.spec
 * of this text, and types.spec.
 */
const char *files_directory(const char *messages);
/* Replaces all of the directory's files but the specifications. */
void files_write(const unsigned char *data, size_t size);

#endif
