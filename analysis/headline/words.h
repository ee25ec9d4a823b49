/* Names causes in a line: functions, call sites, rows of a rank. */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_WORDS_H
#define GLIMPSE_ANALYSIS_HEADLINE_WORDS_H

#include "analysis/activity/subject.h"
#include "analysis/headline/line_parts.h"
#include "analysis/why/evidence.h"

/* "work()", with a link; name: the function as output has it. */
void say_function(struct part_line *l, const char *name);
/* "account(), stages.cpp:22", with two links; the line only where it is known. */
void say_site(struct part_line *l, const char *name);
/* The thread of an index, or of a name, such as "main"; a name of several has no number. */
void say_thread(struct part_line *l, const struct trace *t, uint32_t thread);
/* Returns whether it is what a run-time library does before the first function: "[ld-linux.so]". */
bool is_start(const char *function);
/* Returns the thread whose name has a key; NO_THREAD: none is called so. */
uint32_t thread_keyed(const struct evidence *g, int64_t key);
/* The thread with the key of a name; the name itself if none has it. */
void say_keyed_thread(struct part_line *l, const struct evidence *g, int64_t key, const char *name);
/* What a class of waits or holds is, by its label: "sleep"; with its call site if that is known. */
void say_class(struct part_line *l, const struct evidence *g, const struct span_class *c);
/*
 * "lock statsMutex", or "Mutex LEDGER" in the words of the language; "lock 3" or "condition 2" if
 * the program gave it no name.
 */
void say_lock_name(struct part_line *l, const struct evidence *g, const struct subject *lock);
/* A subject in a few words: "lock statsMutex", "work()", "sleep in main()". */
void say_subject(struct part_line *l, const struct evidence *g, const struct subject *s);

#endif
