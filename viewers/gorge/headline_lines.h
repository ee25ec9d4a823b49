/* What limits a run, in the words of glimpse why, for a picture. */
#ifndef GLIMPSE_GORGE_HEADLINE_LINES_H
#define GLIMPSE_GORGE_HEADLINE_LINES_H

struct trace_index;
/* Searches a trace, and sets the lines, which the caller frees; those that there are not stay. */
void headline_lines(struct trace_index *m, char *lines[2]);

#endif
