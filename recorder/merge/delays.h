/*
 * Finds since when threads were ready after waits, from the causes of the waits and from the run
 * delay that the kernel counts. The run delay is a sum over a group of waits; that sum stays right.
 */
#ifndef GLIMPSE_RECORDER_MERGE_DELAYS_H
#define GLIMPSE_RECORDER_MERGE_DELAYS_H

#include "recorder/merge/causes.h"

/*
 * Settles `readied` of all waits. A wait without a group is ready from its cause on, if it has one.
 * In a group the sum of being ready stays what it was. Waits with a cause are ready from there on,
 * and the others get equal parts of the rest. If nothing is left, or there are no others, all waits
 * with a cause are ready for so much shorter or longer. A cause is forgotten (`from` becomes
 * INT64_MIN) if the thread would have been ready longer than in the whole group.
 */
void delays_settle(struct causes *c);

#endif
