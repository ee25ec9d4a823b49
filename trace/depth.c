#include "trace/depth.h"
#include "trace/array.h"
#include "trace/series.h"
#include <stdlib.h>

struct bounds {
	int64_t *starts, *ends; /* each ascending */
	size_t n;
	__int128 total;         /* of the durations */
};

static struct bounds bounds_of(const struct matches *m)
{
	struct bounds b = {
		.starts = array_new(m->matched, sizeof *b.starts),
		.ends = array_new(m->matched, sizeof *b.ends),
	};

	for (size_t i = 0; i < m->count; i++) {
		int64_t x, y;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		x = moments_time(&m->anchors, i);
		y = moments_time(&m->partners, m->partner_of[i]);
		b.starts[b.n] = x < y ? x : y;
		b.ends[b.n++] = x < y ? y : x;
		b.total += x < y ? y - x : x - y;
	}
	sort_words(b.starts, b.n);
	sort_words(b.ends, b.n);
	return b;
}

/* Goes through starts and ends together; ends come first where times are equal. Gives the area
 * below the depth. */
static __int128 sweep(const struct bounds *b, struct depth *d)
{
	size_t started = 0, ended = 0, open = 0;
	__int128 area = 0;
	int64_t before = 0;

	while (ended < b->n) {
		bool start = started < b->n && b->starts[started] < b->ends[ended];
		int64_t time = start ? b->starts[started] : b->ends[ended];

		/* an instance of no duration starts before it ends */
		start |= open == 0;
		area += (__int128)open * (time - before);
		before = time;
		started += start;
		ended += !start;
		open = started - ended;
		if (open > d->max) {
			d->max = open;
			d->at = time;
		}
	}
	return area;
}

void depth_of(const struct trace *t, const struct matches *m, struct depth *d)
{
	struct bounds b = bounds_of(m);
	double span = t->duration > 0 ? (double)t->duration : 1;

	*d = (struct depth){.max = 0};
	d->mean = (double)sweep(&b, d) / span;
	if (b.n) {
		d->rate = (double)b.n / span * 1e9;
		d->little = d->rate / 1e9 * ((double)b.total / (double)b.n);
	}
	free(b.starts);
	free(b.ends);
}
