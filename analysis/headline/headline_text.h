/*
 * Writes the headline of a trace as plain text, for callers that need nothing else of analysis/why.
 */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_TEXT_H
#define GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_TEXT_H

struct trace;
/*
 * Searches a trace, and sets the lines, which the caller frees; those that there are not are NULL.
 */
void headline_texts(struct trace *t, char *lines[2]);

#endif
