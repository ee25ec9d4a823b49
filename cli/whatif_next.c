#include "cli/whatif_next.h"
#include "base/array.h"
#include "base/units.h"
#include "cli/common/text.h"
#include <math.h>
#include <stdlib.h>

/* A bottleneck with at least this share is the only one. */
static const double nothing_but = 0.95;

/* ---- what limits it ---- */

static char *computing_words(const struct bottleneck *b)
{
	const char *only = b->share >= nothing_but ? "only by computing in" : "by computing in";

	if (b->kind == BOTTLENECK_THREAD)
		return text_format("%s %s", only, b->thread);
	return text_format("%s %s in %s", only, b->subject.name, b->thread);
}

static char *lock_words(const struct bottleneck *b)
{
	if (!b->instead_of)
		return text_format("by %s", b->subject.name);
	if (b->held_as_long)
		return text_format("by %s, held as long as %s was", b->subject.name, b->instead_of);
	return text_format("by %s instead of %s", b->subject.name, b->instead_of);
}

static char *bottleneck_words(const struct bottleneck *b)
{
	switch (b->kind) {
	case BOTTLENECK_FUNCTION:
	case BOTTLENECK_INTERVAL:
	case BOTTLENECK_THREAD:
		return computing_words(b);
	case BOTTLENECK_LOCK:
		return lock_words(b);
	case BOTTLENECK_PROCESSORS:
		return text_format("by waiting for processors");
	case BOTTLENECK_IO:
		return text_format("by %s in %s", b->subject.name, b->thread);
	case BOTTLENECK_WAITING:
	case BOTTLENECK_UNKNOWN:
		break;
	}
	return NULL;
}

static void change_say(FILE *out, const struct bottleneck *b)
{
	if (b->kind == BOTTLENECK_LOCK)
		fputs("also without it", out);
	else if (b->kind == BOTTLENECK_PROCESSORS)
		fputs("with unlimited processors", out);
	else if (b->factor > 2)
		fprintf(out, "if %u times as fast", b->factor);
	else
		fputs("if also twice as fast", out);
}

/* Of all changes up to this one. */
static void plan_gain(FILE *out, const struct prediction *p, const struct bottleneck *b)
{
	double before = (double)p->base->duration;
	char change[UNITS_TEXT];

	fprintf(out, ": %s in all", change_text(change, before, (double)b->duration));
	if (before > 0)
		fprintf(out, " (%+.0f to %+.0f %%)", 100 * ((double)b->low / before - 1),
			100 * ((double)b->high / before - 1));
}

static void waiting_text(FILE *out, const struct bottleneck *b)
{
	if (b->others)
		fprintf(out,
			"then: limited by other programs, which have the processors when %s is "
			"woken (%.0f %% of the critical path)",
			b->thread, 100 * b->share);
	else
		fprintf(out,
			"then: unknown; %.0f %% of the critical path is waiting that no thread "
			"ends (%s%s%s)",
			100 * b->share, b->subject.name ? b->subject.name : "",
			b->subject.name ? " in " : "", b->thread);
}

/* last: no step follows. */
static void step_text(FILE *out, const struct prediction *p, const struct bottleneck *b, bool last)
{
	char *words = bottleneck_words(b);

	if (words)
		fprintf(out, "then: limited %s (%.0f %% of the critical path)", words,
			100 * b->share);
	else if (b->kind == BOTTLENECK_WAITING)
		waiting_text(out, b);
	else
		fprintf(out, "then: unknown");
	if (b->tried) {
		fputs("; ", out);
		change_say(out, b);
		plan_gain(out, p, b);
	}
	if (b->after && last && b->kind == BOTTLENECK_LOCK)
		fprintf(out, ", then limited by %s", b->after);
	else if (b->after && last)
		fputs(", still limited by it", out);
	putc('\n', out);
	free(words);
}

void next_text(FILE *out, const struct prediction *p, const struct next_steps *steps)
{
	for (unsigned i = 0; i < steps->n; i++)
		step_text(out, p, &steps->at[i], i + 1 == steps->n);
}

/* ---- the range ---- */

void range_text(FILE *out, const struct prediction *p)
{
	double predicted = (double)p->changed->duration;

	if (predicted <= 0)
		return;
	for (unsigned i = 0; i < NERROR_SOURCES; i++) {
		const struct error_part *e = &p->interval.parts[i];
		double less = 100 * e->less / predicted, more = 100 * e->more / predicted;

		fprintf(out, "%s%s ",
			i ? ", " : "range: ", error_source_name((enum error_source)i));
		if (fabs(less - more) < 0.05)
			fprintf(out, "+-%.1f %%", more);
		else
			fprintf(out, "-%.1f +%.1f %%", less, more);
		if (i == ERROR_LENGTHS)
			fprintf(out, " (%u replay%s)", p->interval.replays,
				p->interval.replays == 1 ? "" : "s");
	}
	putc('\n', out);
}
