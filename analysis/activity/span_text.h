/* Finds the span that covers a time, and names it. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_SPAN_TEXT_H
#define GLIMPSE_ANALYSIS_ACTIVITY_SPAN_TEXT_H

#include "analysis/activity/instance_set.h"

/*
 * Returns the innermost of a thread's spans (in the order of instance_spans()) at a time, or NULL.
 */
const struct instance_span *span_at(const span_vector *spans, int64_t time);

/*
 * Returns the function of a call, such as "compress"; of other spans the interval, with the call
 * site if its events have one: "LockWait at push+0x1c (queue.c:40)". The trace keeps the text.
 */
const char *span_class_text(const struct trace *t, const struct span_class *c);

/*
 * Return the label of a class's interval, and the word for its object. If a declaration names the
 * object, these are its label for waits, and NAME_LOCK for locks. NULL: there is none.
 */
const char *class_style_label(const struct span_class *c);
const char *class_object_word(const struct span_class *c);

/* Whether an object's name begins with a word: "Condvar 3", "Mutex of append (journal.cc:26)". */
bool name_says(const char *name, const char *word);

#endif
