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

static void fit_json(struct json *j, const struct fit *f, const struct span_change *c)
{
	json_object(j, NULL);
	json_string(j, "what", c->what);
	json_string(j, "event", f->start->name);
	json_string(j, "attribute", f->attribute);
	json_string(j, "asked", c->length.fit);
	json_uint(j, "instances", f->n);
	json_real(j, "intercept", f->line.intercept);
	json_real(j, "slope", f->line.slope);
	json_real(j, "r2", f->line.r2);
	json_real(j, "recorded_low", f->recorded.low);
	json_real(j, "recorded_high", f->recorded.high);
	json_real(j, "asked_low", f->asked.low);
	json_real(j, "asked_high", f->asked.high);
	json_close(j);
}

static void device_json(struct json *j, const struct device *d, const struct span_change *c)
{
	json_object(j, NULL);
	json_string(j, "what", c->what);
	json_real(j, "bandwidth", c->device.bandwidth);
	json_int(j, "latency", c->device.latency);
	json_uint(j, "instances", d->instances);
	json_uint(j, "requests", d->requests);
	json_uint(j, "without_bytes", d->without);
	json_uint(j, "bytes", d->bytes);
	json_int(j, "busy", d->busy);
	json_close(j);
}

void models_json(struct json *j, const struct prediction *p, const struct span_change *changes)
{
	json_array(j, "fits");
	for (size_t i = 0; p->fits && i < p->fits->all.n; i++)
		fit_json(j, &p->fits->all.at[i], &changes[p->fits->all.at[i].change]);
	json_close(j);
	json_array(j, "devices");
	for (size_t i = 0; p->devices && i < p->devices->all.n; i++)
		device_json(j, &p->devices->all.at[i], &changes[p->devices->all.at[i].change]);
	json_close(j);
}
