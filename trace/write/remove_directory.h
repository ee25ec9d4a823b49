/* Takes back a directory that was begun and could not be completed. */
#ifndef GLIMPSE_TRACE_WRITE_REMOVE_DIRECTORY_H
#define GLIMPSE_TRACE_WRITE_REMOVE_DIRECTORY_H

/* Removes a directory and the files in it; it has no subdirectories. */
void directory_unmake(const char *path);

#endif
