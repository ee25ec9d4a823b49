/*
 * Writes the file `command` of a recording: the program and its arguments, as one would type them.
 */
#ifndef GLIMPSE_CLI_RECORD_COMMAND_FILE_H
#define GLIMPSE_CLI_RECORD_COMMAND_FILE_H

#include <stdbool.h>

/* Writes it to a directory. Returns false with errno set if that fails. */
bool command_file_write(char *const *argv, const char *directory);

#endif
