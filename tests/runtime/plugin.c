/* A library with a specification of its own, to be loaded with dlopen(). */
#include "plugin.h"

static const char text[] = "glimpse plugin\n\tevent Plug(a);\nend plugin\n";
static const char *const events[] = { "Plug" };
static uint32_t words[] = { GLIMPSE_NEW };

struct glimpse_spec plugin_glimpse = {
	words, words, GLIMPSE_ABI, 1, UINT64_C(0xc7f8e481136b6e6e),
	"plugin", text, sizeof text - 1, events, NULL,
};
GLIMPSE_REGISTER(plugin_glimpse)

void plug(int32_t a);

void plug(int32_t a)
{
	Plug_Stamp(a);
}

__attribute__((constructor)) static void loaded(void)
{
	Plug_Stamp(1000);
}

__attribute__((destructor)) static void unloaded(void)
{
	Plug_Stamp(2000);
}
