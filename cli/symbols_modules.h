/* Lists the programs and libraries of a run, and which names of their functions there are. */
#ifndef GLIMPSE_CLI_SYMBOLS_MODULES_H
#define GLIMPSE_CLI_SYMBOLS_MODULES_H

#include "base/array.h"
#include "trace/symbols/image.h"
#include "trace/trace.h"

struct run_module {
	const char *path; /* as the program saw it; the trace keeps it */
	const struct build_id *id;
	uint64_t samples; /* whose innermost function is in it */
	enum image_state state;
	struct image_names names; /* if the state is IMAGE_GOOD */
	bool stored;              /* the run has names of it */
};

struct run_modules {
	VECTOR(struct run_module) list; /* most samples first, then by path; each once */
	bool sampled;                   /* the run has samples */
};

struct run_modules run_modules_of(const struct trace *t);
void run_modules_clear(struct run_modules *m);

/* Returns whether a file of the module is missing that a server could have. */
bool run_module_lacks(const struct run_module *m);

#endif
