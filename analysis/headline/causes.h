/* Finds the rows of a rank that are separate causes, and where they are. */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_CAUSES_H
#define GLIMPSE_ANALYSIS_HEADLINE_CAUSES_H

#include "analysis/headline/path_use.h"
#include "analysis/rank/rank.h"
#include "analysis/why/evidence.h"

/*
 * Returns at most `most` rows after the first cause, best first, that gain a hundredth of the run
 * or more. Leaves out places where a thread waits for another one, and other names of an earlier
 * row or of the first cause. first: NULL, no row is.
 */
size_t causes_next(const struct evidence *g, const struct rank *rank, const struct rank_row *first,
		   const struct rank_row **next, size_t most);

/*
 * Returns whether a row is one thread of a group of ten or more, and none has half of the group's
 * time on the critical path; sets *use then.
 */
bool is_one_of_many(const struct evidence *g, const struct rank_row *row, int64_t from, int64_t to,
		    struct group_use *use);
/* Returns the class of waits or holds whose time a subject has; NULL if the set has none. */
const struct span_class *subject_class(const struct evidence *g, const struct subject *s);
/* Returns the key of the call site where a lock is held longest; NO_KEY: it is not known. */
int64_t lock_site(const struct evidence *g, int64_t lock);
/*
 * Returns the class of the waits for an object outside of the program, such as a pipe, in which a
 * lock's holders are for most of its holds; NULL: there is none.
 */
const struct span_class *lock_held_wait(const struct evidence *g, int64_t lock);

#endif
