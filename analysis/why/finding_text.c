#include "analysis/why/finding_text.h"
#include "analysis/locks/hang_text.h"
#include "analysis/why/blocks.h"
#include "analysis/why/finding.h"
#include "analysis/why/fixes.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include "analysis/why/switches.h"
#include "base/units.h"
#include "spec/print.h"
#include "trace/plain_name.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void line_add(struct said *s, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*vector_add(&s->lines) = text_vformat(format, arguments);
	va_end(arguments);
}

/* ---- names ---- */

/* "main+0x12 (file.c:41)" without the offset, shortened. */
static void name_print(FILE *out, const char *whole)
{
	char *name = plain_name_short(whole);
	const char *plus = strstr(name, "+0x"), *place = plus ? strchr(plus, ' ') : NULL;

	if (place)
		fprintf(out, "%.*s%s", (int)(plus - name), name, place);
	else
		fputs(name, out);
	free(name);
}

/* The same as a text, which the caller frees. */
static char *name_text(const char *whole)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	name_print(out, whole);
	fclose(out);
	return text;
}

/* Prints "queue.lock, pool.lock and others"; nothing if there are none. */
static char *parts_text(const parts_named *parts, size_t most)
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

/* Prints objects with the word for the first: "semaphore connections"; nothing without objects. */
static char *objects_text(const struct evidence *g, const parts_named *objects)
{
	const char *word = objects->n ? object_word(g, objects->at[0].key) : NULL;
	char *names = parts_text(objects, 3), *text;

	text = text_format("%s%s%s", word ? word : "", word ? " " : "", names);
	free(names);
	return text;
}

/* ---- what to fix first ---- */

/* Returns a row's name for a sentence: "thread reader", "hot_lock", "turns (hot.c:17)". */
static char *row_name(const struct rank_row *row)
{
	char *name = name_text(row->subject.name), *text;

	if (row->subject.kind != SUBJECT_THREAD)
		return name;
	text = text_format("thread %s", name);
	free(name);
	return text;
}

/* Returns the change that is replayed. */
static const char *condition_format(const struct rank_row *row, bool removal)
{
	static const char *const fixed[NSUBJECTS] = {
	    [SUBJECT_FUNCTION] = "if %s were twice as fast",
	    [SUBJECT_INTERVAL] = "if each %s were half as long",
	    [SUBJECT_LOCK] = "if %s were held half as long",
	    [SUBJECT_SITE] = "if calls at %s were half as long",
	    [SUBJECT_THREAD] = "if %s were twice as fast",
	};

	return removal ? "without %s" : fixed[row->subject.kind];
}

/* The gain is a share of the time in which the events were on. */
static void part_say(struct said *s, int64_t known)
{
	char cell[UNITS_TEXT], *all = s->fix;

	s->fix = text_format("%s, relative to the %s in which its events were on", all,
			     units_time(cell, (double)known));
	free(all);
}

static void unseen_say(struct said *s, const struct rank_row *row)
{
	char *seen = s->fix;

	if (!rank_may_gain_more(row))
		return;
	s->fix = text_format("%s, or %.1f %% if locks were held since the release before, which no "
			     "event shows",
			     seen, 100 * (double)row->whatif_unseen / (double)row->known);
	free(seen);
}

static void fix_add(struct said *s, const char *directory, const struct rank_row *row, bool removal)
{
	char *fix = rank_fix_text(row, removal);

	*vector_add(&s->commands) = text_format("glimpse whatif %s --fix '%s'", directory, fix);
	free(fix);
}

/* The other change of a lock. */
static void removal_say(struct said *s, const char *directory, const struct rank_row *row)
{
	struct rank_gain g = rank_gain_of(row, true);
	char *half = s->fix;

	if (!g.known || g.gain < fix_least_gain)
		return;
	fix_add(s, directory, row, true);
	s->fix = text_format("%s, and without the lock %.1f %% (%.0f to %.0f %%)", half,
			     100 * g.gain, 100 * g.low, 100 * g.high);
	free(half);
}

/* Says what a change gains, where glimpse whatif answers that. */
static void gain_say(struct said *s, const struct rank_row *row, bool removal)
{
	struct rank_gain g = rank_gain_of(row, removal);
	char *name = row_name(row), *condition;
	const char *format = condition_format(row, removal), *rest = strstr(format, "%s") + 2;

	condition = text_format("%.*s%s%s", (int)(rest - 2 - format), format, name, rest);
	if (g.known)
		s->fix = text_format("%s, the run would be %.1f %% shorter (%.0f to %.0f %%)",
				     condition, 100 * g.gain, 100 * g.low, 100 * g.high);
	else
		s->fix = text_format("%s; cannot tell how much shorter the run would be", name);
	free(condition);
	free(name);
}

static void fix_say(struct said *s, const char *directory, const struct finding *f,
		    const struct rank *rank)
{
	bool removal;

	if (!f->fix)
		return;
	removal = rank_is_removal(f->fix);
	fix_add(s, directory, f->fix, removal);
	gain_say(s, f->fix, removal);
	if (!removal && rank_gain_of(f->fix, false).known) {
		unseen_say(s, f->fix);
		removal_say(s, directory, f->fix);
	}
	if (f->fix->known < rank->duration && rank_gain_of(f->fix, removal).known)
		part_say(s, f->fix->known);
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

		s->commands.at[s->commands.n - 1] = text_format(
		    "%s --lanes 'threads,%s'", old,
		    lock_name_of(search->evidence->set->objects, f->objects.at[0].name));
		free(old);
	}
	free(a);
	free(b);
}

/* Whether a work of the kernel is named in a finding. */
static bool is_said(double part)
{
	return part >= 0.01;
}

static void works_print(FILE *out, const struct evidence *g, const struct finding *f)
{
	for (enum paging_work w = PAGING_FAULT; w < NPAGING_WORKS; w++)
		if (is_said(paging_part(g, &f->focus, w)))
			fprintf(out, " && paging(label \"%s\")", paging_work_name(w));
}

/* Prints the measures whose values the lines contain. */
static void measures_print(FILE *out, const struct evidence *g, const struct finding *f)
{
	struct test_measure m = *f->hypothesis->about;
	struct expr e = {.op = EXPR_MEASURE, .measure = &m};
	enum measure_subject subject = measure_subject(&m);
	const struct test_measure *ended = ended_in(f->hypothesis->condition);

	if (subject == OF_SPANS)
		m.function = TEST_COST;
	expr_print(&e, NULL, out);
	switch (subject) {
	case OF_SWITCHES:
		if (m.function != TEST_SWITCHING)
			fputs(" && switching()", out);
		if (ended)
			fprintf(out, " && ended(event \"%s\")", ended->event);
		break;
	case OF_PAGING:
		fputs(" && paged()", out);
		works_print(out, g, f);
		break;
	case OF_MOMENTS:
		break;
	default:
		m.function = TEST_SHARE;
		fputs(" && ", out);
		expr_print(&e, NULL, out);
	}
}

static void measure_add(struct said *s, const char *directory, const struct search *search,
			const struct finding *f)
{
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
		fprintf(out, " --from %" PRId64 "ns", f->focus.from);
	if (f->focus.to < search->evidence->trace->duration)
		fprintf(out, " --to %" PRId64 "ns", f->focus.to);
	fputs(" --measure '", out);
	measures_print(out, search->evidence, f);
	fputs("'", out);
	fclose(out);
	*vector_add(&s->commands) = text;
}

/* ---- the lines ---- */

static void deadlock_headline(struct said *s, const struct finding *f)
{
	char *threads = parts_text(&f->threads, 8), since[UNITS_TEXT];

	line_add(s, "%s: since %s (%s)", f->hypothesis->explanation,
		 units_time(since, (double)f->cost.ranges.at[0].from), threads);
	free(threads);
}

/* Names what the queue delivers instead of the wait at it. */
static char *explanation_of(const struct finding *f)
{
	char *name, *text;

	if (!f->fix || !is_queue_wait(f))
		return text_format("%s", f->hypothesis->explanation);
	name = row_name(f->fix);
	text = text_format("Threads wait for %s", name);
	free(name);
	return text;
}

/* Whether other programs made the time of a finding longer. */
static bool is_beside_others(const struct evidence *g, const struct finding *f)
{
	return idle_alone(g->idle, f->focus.from, f->focus.to) <
	       0.95 * (double)(f->focus.to - f->focus.from);
}

static void headline(struct said *s, const struct search *search, const struct finding *f)
{
	char *threads = parts_text(&f->threads, 4);

	enum measure_subject subject = measure_subject(f->hypothesis->about);
	bool paging = subject == OF_PAGING;
	char *of = f->phase == NO_PHASE
		       ? text_format("the run%s", paging && is_beside_others(search->evidence, f)
						      ? " without other programs"
						      : "")
		       : phase_text(&search->phases, f->phase);
	char *what = explanation_of(f), *theirs = text_format("%s", "");

	if (subject != OF_MOMENTS) {
		free(theirs);
		theirs = text_format("%.1f %% of their %s, ", 100 * f->share,
				     paging ? "CPU time" : "time");
	}
	line_add(s, "%s: %s%.1f %% of %s (%s)", what, theirs,
		 100 * f->cost.time / (double)(f->focus.to - f->focus.from), of, threads);
	free(theirs);
	free(what);
	free(threads);
	free(of);
}

static void switches_headline(struct said *s, const struct evidence *g, const struct finding *f)
{
	char *threads = parts_text(&f->threads, 4), *lack = text_format("%s", "");

	if (f->hypothesis->about->function == TEST_SURPLUS) {
		free(lack);
		lack = text_format("ready but without a processor for %.1f %% of their time, ",
				   100 * f->share);
	}
	line_add(s, "%s: %s%.1f %% of their CPU time for switching (%s)",
		 f->hypothesis->explanation, lack, 100 * switching_part(g, &f->focus), threads);
	free(lack);
	free(threads);
}

/* Says how often, after how long a turn, and at what cost. */
static void switches_line(struct said *s, const struct evidence *g, const struct finding *f)
{
	struct cut_turns cut = switches_cut(g, &f->focus);
	const struct test_measure *ended = ended_in(f->hypothesis->condition);
	char n[UNITS_TEXT], turn[UNITS_TEXT], cost[UNITS_TEXT], *by = text_format("%s", "");

	if (!cut.n)
		return;
	units_count(n, cut.n);
	units_time(turn, (double)cut.time / (double)cut.n);
	units_time(cost, (double)g->switches->cost);
	if (ended) {
		free(by);
		by = text_format(", %.1f %% of them by %s",
				 100 * ended_part(g, &f->focus, ended->event), ended->event);
	}
	line_add(
	    s,
	    "%s switches away from runnable threads%s, after %s on average; each costs about %s%s",
	    n, by, turn, cost, g->switches->measured ? "" : " (assumed)");
	free(by);
}

/* Returns ", in phase 2" if the finding is in one that was not searched separately. */
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
	char *objects = objects_text(search->evidence, &f->objects),
	     *code = parts_text(&f->code, 3);
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
		line_add(s, "blocked by: %s%s%s", holders, *code ? " in " : "", code);
	if (f->meanwhile)
		line_add(s, "%s%s%s", *holders ? holders : "of that time",
			 *holders ? " meanwhile: " : ": ", f->meanwhile);
	free(holders);
	free(code);
}

/* Of the time of a finding, waits that last less of it are not named. */
#define BLOCKS_LEAST 0.1
enum { BLOCKS_MOST = 3 };

/* Returns "Condvar filled at index_all (fetch.rs:38)"; the object's name may have the call site. */
static char *wait_text(const struct evidence *g, const struct blocked *b)
{
	char *objects = objects_text(g, &b->objects), *text;
	char *site = name_text(b->site != NO_KEY ? evidence_text(g, b->site) : "");
	const char *what = *objects ? objects : b->word;
	bool said = !*site || strstr(what, site);

	text = text_format("%s%s%s", what, said ? "" : " at ", said ? "" : site);
	free(objects);
	free(site);
	return text;
}

/* Says for each kind of wait: "blocks: indexer, in Condvar filled at index_all (fetch.rs:38)". */
static void blocks_lines(struct said *s, const struct evidence *g, const struct finding *f)
{
	for (size_t i = 0; i < f->blocks.n && i < BLOCKS_MOST; i++) {
		const struct blocked *b = &f->blocks.at[i];
		char *threads, *wait;

		if ((double)b->time < BLOCKS_LEAST * (double)f->time)
			break;
		threads = parts_text(&b->threads, 3);
		wait = wait_text(g, b);
		line_add(s, "blocks: %s, in %s", threads, wait);
		free(threads);
		free(wait);
	}
}

/* Says which work of the kernel it is, and of whose maps. */
static void paging_line(struct said *s, const struct evidence *g, const struct finding *f)
{
	char *text, *sites = parts_text(&f->maps, 3);
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (enum paging_work w = PAGING_FAULT; w < NPAGING_WORKS; w++) {
		double part = paging_part(g, &f->focus, w);

		if (is_said(part))
			fprintf(out, "%s%.1f %% in %s%s", ftell(out) ? ", " : "", 100 * part,
				paging_work_name(w), w == PAGING_FAULT ? "" : "()");
	}
	if (ftell(out) && *sites)
		fprintf(out, ", of maps %s in %s", f->maps_made ? "made" : "released", sites);
	fclose(out);
	if (*text)
		line_add(s, "%s", text);
	free(text);
	free(sites);
}

/* Adds each wait of the cycle and its holder, in the words of glimpse locks --show waiting. */
static void cycle_lines(struct said *s, const struct locks *l)
{
	for (size_t i = 0; i < l->hang.waiters.n; i++) {
		const struct lock_waiter *w = &l->hang.waiters.at[i];
		char *wait, *holder;

		if (!w->cycle)
			continue;
		wait = waiter_wait_text(l, w);
		holder = waiter_holder_text(l, w);
		line_add(s, "%s%s%s", wait, holder ? "; " : "", holder ? holder : "");
		free(wait);
		free(holder);
	}
}

/* Adds where each thread is, in the words of glimpse locks --show waiting. */
static void stuck_lines(struct said *s, const struct evidence *g, const struct finding *f)
{
	for (size_t i = 0; i < g->stuck.threads.n; i++) {
		const struct stuck_thread *t = &g->stuck.threads.at[i];
		char *text = stuck_thread_text(g->trace, g->locks, t);

		if (f->focus.threads[t->thread])
			line_add(s, "%s", text);
		free(text);
	}
}

/* Returns what may help, to be freed; "": it is not known. */
static char *advice_of(const struct evidence *g, const struct finding *f)
{
	bool paging = measure_subject(f->hypothesis->about) == OF_PAGING;
	enum paging_use use = paging ? paging_use_of(g, &f->focus) : PAGING_USE_UNKNOWN;
	char *remedy;

	if (use == PAGING_USE_AGAIN)
		return text_format("reuse the memory and the maps: the program releases them, and "
				   "touches new ones, again and again");
	if (use == PAGING_USE_ONCE)
		return text_format(
		    "use larger pages (madvise() with MADV_HUGEPAGE), or make all pages of a map "
		    "at once (MAP_POPULATE): nearly all are touched for the first time");
	if (is_throttled(f) && (remedy = trace_refused(g->trace, "throttled")))
		return remedy;
	return text_format("%s", f->hypothesis->advice);
}

static void advice_line(struct said *s, const struct evidence *g, const struct finding *f)
{
	char *advice = advice_of(g, f);

	if (*advice)
		line_add(s, "what may help: %s", advice);
	free(advice);
}

/* Says what the run gains without the kernel's work for memory. */
static void paging_fix_say(struct said *s, const struct finding *f)
{
	const struct paging_gain *w = &f->without_paging;

	if (w->known && w->gain >= fix_least_gain)
		s->fix = text_format("if this work were not needed, the run would be %.1f %% "
				     "shorter (%.0f to %.0f %%)",
				     100 * w->gain, 100 * w->low, 100 * w->high);
}

struct said *finding_say(const char *directory, const struct search *search,
			 const struct finding *f, const struct rank *rank)
{
	struct said *s = array_zero(1, sizeof *s);

	if (is_hang(f)) {
		deadlock_headline(s, f);
		if (is_stuck(f))
			stuck_lines(s, search->evidence, f);
		else
			cycle_lines(s, search->evidence->locks);
	} else {
		if (measure_subject(f->hypothesis->about) == OF_SWITCHES)
			switches_headline(s, search->evidence, f);
		else
			headline(s, search, f);
		where_lines(s, search, f);
		if (measure_subject(f->hypothesis->about) == OF_SWITCHES)
			switches_line(s, search->evidence, f);
		if (measure_subject(f->hypothesis->about) == OF_PAGING)
			paging_line(s, search->evidence, f);
		holder_line(s, f);
		blocks_lines(s, search->evidence, f);
	}
	advice_line(s, search->evidence, f);
	measure_add(s, directory, search, f);
	if (is_hang(f))
		*vector_add(&s->commands) =
		    text_format("glimpse locks %s --show waiting", directory);
	else
		fix_say(s, directory, f, rank);
	if (measure_subject(f->hypothesis->about) == OF_PAGING)
		paging_fix_say(s, f);
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
	free(s->fix);
	free(s);
}
