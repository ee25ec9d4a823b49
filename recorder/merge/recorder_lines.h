/*
 * Finds what a file of the recorder says of each process: lines "PID SINCE REST", of any number of
 * processes.
 */
#ifndef GLIMPSE_RECORDER_MERGE_RECORDER_LINES_H
#define GLIMPSE_RECORDER_MERGE_RECORDER_LINES_H

#include <stdint.h>

struct recorder_lines;

/*
 * Reads a file, and keeps where its lines are; one that cannot be read has none. The caller closes
 * the result.
 */
struct recorder_lines *recorder_lines_open(const char *path);
void recorder_lines_close(struct recorder_lines *l);

/* Is given the rest of a line with its newline; it is valid during the call. */
typedef void recorder_line_take(void *context, const char *rest);
/*
 * Gives the lines of the last one of a process's programs that began up to a time, in the file's
 * order.
 */
void recorder_lines_of(struct recorder_lines *l, uint32_t pid, int64_t to, recorder_line_take *take,
		       void *context);

#endif
