/* Tells whether changes can only shorten a run. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_CHANGE_ORDER_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_CHANGE_ORDER_H

#include "analysis/replay/changes/changes.h"

enum change_order {
	CHANGE_ANY, /* the run may be shorter or longer */
	CHANGE_SHORTENS,
	CHANGE_LENGTHENS,
};

/* cores: the processors of the recorded run; 0: not known. */
enum change_order change_order_of(const struct changes *c, unsigned cores);

#endif
