/* The stubs of the specification "probe", as glimpsec would write them. */
#ifndef PROBE_GLIMPSE_H
#define PROBE_GLIMPSE_H

#include "runtime/glimpse.h"

#define PROBE_LAYOUT "probe=ii,is,lll,"

extern struct glimpse_spec probe_glimpse;

#ifndef GLIMPSE_DISABLE

static inline void Tick_Stamp(int32_t a, int32_t b)
{
	struct glimpse_slot r = glimpse_begin(&probe_glimpse, 0, 12);

	if (!r.at)
		return;
	glimpse_put32(r.at + 4, (uint32_t)a);
	glimpse_put32(r.at + 8, (uint32_t)b);
	glimpse_end(r, 12);
}

static inline void Say_Stamp(int32_t a, const char *text)
{
	struct glimpse_string s;
	struct glimpse_slot r;

	if (glimpse_off(&probe_glimpse, 1))
		return;
	s = glimpse_measure(text);
	r = glimpse_begin(&probe_glimpse, 1, 8 + s.size);
	if (!r.at)
		return;
	glimpse_put32(r.at + 4, (uint32_t)a);
	glimpse_put_string(r.at + 8, s);
	glimpse_end(r, 8 + s.size);
}

static inline void Wide_Stamp(int64_t a, double b, const volatile void *c)
{
	struct glimpse_slot r = glimpse_begin(&probe_glimpse, 2, 28);

	if (!r.at)
		return;
	glimpse_put64(r.at + 4, (uint64_t)a);
	glimpse_put_double(r.at + 12, b);
	glimpse_put_address(r.at + 20, c);
	glimpse_end(r, 28);
}

static inline void Wide_StampAt(uint64_t ticks, int64_t a, double b, const volatile void *c)
{
	struct glimpse_slot r = glimpse_begin_at(&probe_glimpse, 2, 28, ticks);

	if (!r.at)
		return;
	glimpse_put64(r.at + 4, (uint64_t)a);
	glimpse_put_double(r.at + 12, b);
	glimpse_put_address(r.at + 20, c);
	glimpse_end(r, 28);
}

static inline void Bare_Stamp(void)
{
	struct glimpse_slot r = glimpse_begin(&probe_glimpse, 3, 4);

	if (!r.at)
		return;
	glimpse_end(r, 4);
}

#else

#define Tick_Stamp(a, b) ((void)(a), (void)(b))
#define Say_Stamp(a, text) ((void)(a), (void)(text))
#define Wide_Stamp(a, b, c) ((void)(a), (void)(b), (void)(c))
#define Wide_StampAt(ticks, a, b, c) ((void)(ticks), (void)(a), (void)(b), (void)(c))
#define Bare_Stamp() ((void)0)

#endif

#endif
