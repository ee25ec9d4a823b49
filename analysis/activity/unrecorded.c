#include "analysis/activity/unrecorded.h"
#include "analysis/activity/roles.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

static const struct lack {
	enum unrecorded need;
	const char *what; /* of trace_refused() */
	const char *say;
} lacks[] = {
    {UNRECORDED_STATES, "states", "thread states are not recorded"},
    {UNRECORDED_STATES, "switches",
     "thread states are estimated from samples, without switch records of the kernel"},
    {UNRECORDED_WAKEUPS, "wake-ups",
     "the kernel's wake-ups are not recorded, so some waits have no known cause, as those for "
     "locks inside the C library (malloc, stdio, the dynamic linker)"},
    {UNRECORDED_WAITS, "futexes",
     "waits for locks are not recorded, as the program ran before the recorder attached to it"},
    {UNRECORDED_WAITS, "futex-rate",
     "waits for locks are recorded up to the time when they became more than 20,000 calls per second"},
    {UNRECORDED_SAMPLES, "samples", "call stacks are not sampled, so functions are unknown"},
    {UNRECORDED_KERNEL, "kernel",
     "samples have no functions of the kernel, whose time counts for their callers"},
    {UNRECORDED_KERNEL, "names", "functions of the kernel have no names"},
};
enum { LACKS = sizeof lacks / sizeof *lacks };

/* Returns how to record it, to be freed; NULL: it does not lack. */
static char *remedy_of(const struct trace *t, const struct lack *l)
{
	char *remedy = trace_refused(t, l->what);

	/* recordings of before the file, and traces of other tools */
	if (!remedy && strcmp(l->what, "switches") == 0 && trace_has_sampled_states(t))
		return text_format("record as root, or in a container with --cap-add PERFMON");
	return remedy;
}

char *unrecorded_text(const struct trace *t, uint32_t needs)
{
	char *text = NULL, *last = NULL; /* last: the remedy that is not yet in the text */

	for (size_t i = 0; i < LACKS; i++) {
		char *remedy = lacks[i].need & needs ? remedy_of(t, &lacks[i]) : NULL, *longer;

		if (!remedy)
			continue;
		if (last && strcmp(last, remedy) == 0)
			longer = text_format("%s, and %s", text, lacks[i].say);
		else if (last)
			longer = text_format("%s (remedy: %s); %s", text, last, lacks[i].say);
		else
			longer = text_format("%s", lacks[i].say);
		free(text), text = longer;
		free(last), last = remedy;
	}
	if (last) {
		char *longer = text_format("%s (remedy: %s)", text, last);

		free(text), text = longer;
		free(last);
	}
	return text;
}
