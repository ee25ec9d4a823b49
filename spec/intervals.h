/* Parts of resolving intervals. */
#ifndef GLIMPSE_SPEC_INTERVALS_H
#define GLIMPSE_SPEC_INTERVALS_H

#include "spec/resolver.h"

/*
 * The equalities that Match stands for, joined by &&; NULL after an error. Without an attribute it
 * is the constant true.
 */
struct expr *match_condition(struct resolver *r, const struct interval *i, struct span where);
/* anchor.thread == partner.thread */
struct expr *same_thread_condition(const struct interval *i);

/*
 * Tells of intervals whose ends lead back to themselves, with the path, and cuts the last end of
 * each such path off.
 */
void ends_cut_cycles(struct resolver *r);

#endif
