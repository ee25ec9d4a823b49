#include "cli/whatif_models.h"
#include "base/units.h"
#include <math.h>

static bool is_beyond(const struct fit *f)
{
	return f->asked.low < f->recorded.low || f->asked.high > f->recorded.high;
}

/* "fit of Compress: 1.20 ms + 3.40 ns * size, r^2 0.982, 120 instances" */
static void fit_text(FILE *out, const struct fit *f, const struct span_change *c)
{
	char intercept[UNITS_TEXT], slope[UNITS_TEXT];

	fprintf(out, "fit of %s: %s%s %c %s * %s, r^2 %.3f, %zu instances; %s %g to %g", c->what,
		f->line.intercept < 0 ? "-" : "", units_time(intercept, fabs(f->line.intercept)),
		f->line.slope < 0 ? '-' : '+', units_time(slope, fabs(f->line.slope)), f->attribute,
		f->line.r2, f->n, f->attribute, f->recorded.low, f->recorded.high);
	if (f->asked.low != f->recorded.low || f->asked.high != f->recorded.high)
		fprintf(out, " -> %g to %g%s", f->asked.low, f->asked.high,
			is_beyond(f) ? ", beyond the recorded range" : "");
	putc('\n', out);
}

/* "device of Read: 40 of 120 inputs and outputs, 12.3 MiB, busy for 62.0 ms" */
static void device_text(FILE *out, const struct device *d, const struct span_change *c)
{
	char bytes[UNITS_TEXT], busy[UNITS_TEXT];

	fprintf(out, "device of %s: %zu of %zu inputs and outputs, %s, busy for %s", c->what,
		d->requests, d->instances, units_bytes(bytes, d->bytes),
		units_time(busy, (double)d->busy));
	if (d->requests < d->instances)
		fprintf(out, "; the others did not wait for it");
	if (d->without)
		fprintf(out, "; %zu without a byte count stay as recorded", d->without);
	putc('\n', out);
}

void models_text(FILE *out, const struct prediction *p, const struct span_change *changes)
{
	for (size_t i = 0; p->fits && i < p->fits->all.n; i++)
		fit_text(out, &p->fits->all.at[i], &changes[p->fits->all.at[i].change]);
	for (size_t i = 0; p->devices && i < p->devices->all.n; i++)
		device_text(out, &p->devices->all.at[i], &changes[p->devices->all.at[i].change]);
}
