#include "probe.h"

static const char text[] = "glimpse probe\n"
			   "\tevent Tick(a, b);\n"
			   "\tevent Say(a, string text);\n"
			   "\tevent Wide(long a, double b, address c);\n"
			   "\tevent Bare;\n"
			   "end probe\n";
static const char *const events[] = { "Tick", "Say", "Wide", "Bare" };
static uint32_t words[] = { GLIMPSE_NEW, GLIMPSE_NEW, GLIMPSE_NEW, GLIMPSE_NEW };

struct glimpse_spec probe_glimpse = {
	words, words, GLIMPSE_ABI, 4, UINT64_C(0xb1ac109a88fb2b56),
	"probe", text, sizeof text - 1, events, NULL,
};
GLIMPSE_REGISTER(probe_glimpse)
