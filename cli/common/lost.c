#include "cli/common/lost.h"
#include "base/units.h"
#include "trace/stream/records_lost.h"
#include <errno.h>

void lost_remark(FILE *out, const struct trace *t)
{
	char count[UNITS_TEXT];
	unsigned kinds = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];
		uint64_t lost = e->lost_attribute < 0 || !t->events_of_type[i]
				    ? 0
				    : trace_records_lost_of(t, e);

		if (!lost)
			continue;
		if (!kinds && !out)
			fprintf(stderr, "%s: warning: ", program_invocation_short_name);
		else if (!kinds)
			putc('\n', out);
		/* an attribute's name is its unit: "samples" */
		fprintf(out ? out : stderr, "%s%s %s", kinds++ ? ", " : "",
			units_count(count, lost), e->attributes[e->lost_attribute].name);
	}
	if (kinds)
		fputs(" were lost: times and shares around them are less precise\n",
		      out ? out : stderr);
}
