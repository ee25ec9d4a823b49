/*
 * Computes how fast threads run the items that they are handed. A change of a thread applies to all
 * items that it runs; a change of a function or an interval applies to the items in which it was
 * recorded.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_PACES_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_PACES_H

#include "analysis/replay/answer/prediction.h"

/*
 * Returns why items must stay with the threads that had them for some changes to be made; NULL:
 * they need not.
 */
const char *paces_refuse(const struct changes *c, const struct trace *t);
/*
 * Sets the paces of operations that were made with changes, whose pieces are the items of a
 * hand-out.
 */
void paces_set(struct operations *o, const struct model *m, const struct hand_out *h,
	       const struct changes *c);

#endif
