/* The stubs of the specification "plugin" as glimpsec would write them. */
#ifndef PLUGIN_GLIMPSE_H
#define PLUGIN_GLIMPSE_H

#include "runtime/glimpse.h"

extern struct glimpse_spec plugin_glimpse;

static inline void Plug_Stamp(int32_t a)
{
	struct glimpse_slot r = glimpse_begin(&plugin_glimpse, 0, 8);

	if (!r.at)
		return;
	glimpse_put32(r.at + 4, (uint32_t)a);
	glimpse_end(r, 8);
}

#endif
