#include "analysis/why/finding_text.h"
#include "base/units.h"
#include "spec/print.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3)))
static void line_add(struct said *s, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*vector_add(&s->lines) = text_vformat(format, arguments);
	va_end(arguments);
}

/* ---- names ---- */

/* "main+0x12 (file.c:41)" without the offset. */
static void name_print(FILE *out, const char *name)
{
	const char *plus = strstr(name, "+0x"), *place = plus ? strchr(plus, ' ') : NULL;

	if (place)
		fprintf(out, "%.*s%s", (int)(plus - name), name, place);
	else
		fputs(name, out);
}

char *parts_text(const parts_named *parts, size_t most)
{
	char *text;
	size_t length, n = parts->n < most ? parts->n : most;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; i < n; i++) {
		fputs(i == 0 ? "" : i + 1 == n && n == parts->n ? " and " : ", ", out);
		name_print(out, parts->at[i].name);
	}
	if (n < parts->n)
		fprintf(out, " and %zu more", parts->n - n);
	fclose(out);
	return text;
}

static bool is_named(const parts_named *parts, const struct rank_row *row)
{
	for (size_t i = 0; i < parts->n; i++)
		if (parts->at[i].key == row->key)
			return true;
	return false;
}

/* ---- what to mend first ---- */

static bool is_of_finding(const struct finding *f, const struct rank_row *row)
{
	switch (row->kind) {
	case SUBJECT_LOCK:
		return is_named(&f->objects, row);
	case SUBJECT_SITE:
		return is_named(&f->code, row) || is_named(&f->holder_code, row);
	case SUBJECT_FUNCTION:
		return is_named(&f->functions, row);
	case SUBJECT_THREAD:
		return f->holders.n ? is_named(&f->holders, row) : is_named(&f->threads, row);
	default:
		return false;
	}
}

/* What says most precisely what to mend: a thread only where nothing else is known. */
static const struct rank_row *row_find(const struct finding *f, const struct rank *rank)
{
	const struct rank_row *best = NULL;

	for (size_t i = 0; i < rank->n; i++) {
		const struct rank_row *row = &rank->rows[i];

		if (row->found && row->zeroing > 0 && is_of_finding(f, row) &&
		    (!best || (best->kind == SUBJECT_THREAD && row->kind != SUBJECT_THREAD)))
			best = row;
	}
	return best;
}

static void mend_say(struct said *s, const char *directory, const struct finding *f,
		     const struct rank *rank)
{
	static const char *const what[NSUBJECTS] = {
		[SUBJECT_FUNCTION] = "what it runs itself in", [SUBJECT_LOCK] = "the time for which it holds",
		[SUBJECT_SITE] = "what is done from", [SUBJECT_THREAD] = "what it does in the thread",
	};
	char *name;

	s->row = row_find(f, rank);
	if (!s->row)
		return;
	name = parts_text(&(parts_named){.at = &(struct part_named){s->row->key, s->row->name, 1}, .n = 1}, 1);
	s->mend = text_format("without %s %s the run is %.1f %% shorter",
			      what[s->row->kind], name,
			      100 * s->row->zeroing / (double)rank->duration);
	if (s->row->replayed) {
		char *without = s->mend;

		s->mend = text_format("%s, with it twice as fast %.1f %%", without,
				      100 * (double)s->row->whatif / (double)rank->duration);
		free(without);
	}
	if (s->row->removed) {
		char *without = s->mend;

		s->mend = text_format("%s, without the lock %.1f %%", without,
				      100 * (double)s->row->removal / (double)rank->duration);
		free(without);
	}
	free(name);
	*vector_add(&s->commands) = text_format("glimpse rank %s --by %s --top all",
						directory,
						subject_kind_name(s->row->kind));
}

/* ---- commands ---- */

static char *time_word(int64_t ns)
{
	char cell[UNITS_TEXT], *text, *space;

	units_time(cell, (double)(ns > 0 ? ns : 0));
	text = text_format("%s", cell);
	for (space = text; (space = strchr(space, ' '));)
		memmove(space, space + 1, strlen(space));
	return text;
}

/* The part of the window in which so many of its spans are: a picture shows no more. */
enum { SHOWN = 100 };

static void look_add(struct said *s, const char *directory, const struct search *search,
		     const struct finding *f)
{
	int64_t to = f->to;
	char *a, *b;

	if (f->count > SHOWN)
		to = f->from + (int64_t)((double)(f->to - f->from) * SHOWN / (double)f->count);
	a = time_word(f->from);
	b = time_word(to);
	if (f->from <= search->from && to >= search->to)
		*vector_add(&s->commands) = text_format("gorge %s", directory);
	else
		*vector_add(&s->commands) =
		    text_format("gorge %s --from %s --to %s", directory, a, b);
	if (f->objects.n) {
		char *old = s->commands.at[s->commands.n - 1];

		s->commands.at[s->commands.n - 1] =
		    text_format("%s --lanes 'threads,%s'", old, f->objects.at[0].name);
		free(old);
	}
	free(a);
	free(b);
}

static void measure_add(struct said *s, const char *directory, const struct search *search,
			const struct finding *f)
{
	struct test_measure m = *f->hypothesis->about;
	struct expr e = {.op = EXPR_MEASURE, .measure = &m};
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fprintf(out, "glimpse why %s", directory);
	for (size_t node = f->node; node != NO_PARENT; node = search->history.at[node].parent)
		if (search->history.at[node].axis != NAXES)
			fprintf(out, " --in '%s=%s'",
				axis_name(search->evidence, search->history.at[node].axis),
				search->history.at[node].where);
	if (f->focus.from > 0)
		fprintf(out, " --from %" PRId64, f->focus.from);
	if (f->focus.to < search->evidence->trace->duration)
		fprintf(out, " --to %" PRId64, f->focus.to);
	if (m.function != TEST_PROBE)
		m.function = TEST_COST;
	fputs(" --measure '", out);
	expr_print(&e, NULL, out);
	m.function = TEST_SHARE;
	fputs(" && ", out);
	expr_print(&e, NULL, out);
	fputs("'", out);
	fclose(out);
	*vector_add(&s->commands) = text;
}

/* ---- the lines ---- */

static void headline(struct said *s, const struct search *search, const struct finding *f)
{
	char *threads = parts_text(&f->threads, 4);

	char *of = f->phase == NO_PHASE ? text_format("the run") : phase_text(&search->phases, f->phase);

	line_add(s, "%s: %.1f %% of their time, %.1f %% of %s (%s)", f->hypothesis->explanation,
		 100 * f->share, 100 * f->cost.time / (double)(f->focus.to - f->focus.from), of, threads);
	free(threads);
	free(of);
}

/* ", in phase 2", if it is in one, and has not been searched for there. */
static char *when_text(const struct search *search, const struct finding *f)
{
	size_t phase = f->phase == NO_PHASE ? phase_of(&search->phases, f->from, f->to) : NO_PHASE;
	char *name, *text;

	if (phase == NO_PHASE)
		return text_format("%s", "");
	name = phase_text(&search->phases, phase);
	text = text_format(", in %s", name);
	free(name);
	return text;
}

static void where_lines(struct said *s, const struct search *search, const struct finding *f)
{
	char *objects = parts_text(&f->objects, 3), *code = parts_text(&f->code, 3);
	char *functions = parts_text(&f->functions, 4);
	char from[UNITS_TEXT], to[UNITS_TEXT];
	const char *in = *objects ? objects : *code ? code : functions;
	char *when = when_text(search, f);

	units_time(from, (double)f->from);
	units_time(to, (double)f->to);
	if (*in)
		line_add(s, "in %s%s%s, from %s to %s%s", in, *objects && *code ? " at " : "",
			 *objects ? code : "", from, to, when);
	else
		line_add(s, "from %s to %s%s", from, to, when);
	free(when);
	free(objects);
	free(code);
	free(functions);
}

static void holder_line(struct said *s, const struct finding *f)
{
	char *holders = parts_text(&f->holders, 3), *code = parts_text(&f->holder_code, 2);

	if (*holders)
		line_add(s, "who lets them wait: %s%s%s", holders, *code ? " in " : "", code);
	free(holders);
	free(code);
}

struct said *finding_say(const char *directory, const struct search *search, const struct finding *f,
			 const struct rank *rank)
{
	struct said *s = array_zero(1, sizeof *s);

	headline(s, search, f);
	where_lines(s, search, f);
	holder_line(s, f);
	if (*f->hypothesis->advice)
		line_add(s, "what may help: %s", f->hypothesis->advice);
	measure_add(s, directory, search, f);
	mend_say(s, directory, f, rank);
	look_add(s, directory, search, f);
	return s;
}

void said_free(struct said *s)
{
	for (size_t i = 0; i < s->lines.n; i++)
		free(s->lines.at[i]);
	for (size_t i = 0; i < s->commands.n; i++)
		free(s->commands.at[i]);
	free(s->lines.at);
	free(s->commands.at);
	free(s->mend);
	free(s);
}
