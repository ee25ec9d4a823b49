#include "analysis/why/evidence.h"
#include "trace/symbols/symbols.h"

const char *evidence_text(const struct evidence *g, int64_t key)
{
	return key == NO_KEY ? "" : symbols_numbered(g->trace, key);
}
