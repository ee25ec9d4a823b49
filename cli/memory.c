#include "analysis/heap/call_paths.h"
#include "analysis/heap/heap.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/intervals.h"
#include "cli/off.h"
#include "cli/table.h"
#include "cli/top.h"
#include "spec/layout.h"
#include "trace/address.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

enum order { BY_BYTES, BY_COUNT, BY_PEAK, BY_LEFT };

enum { ROWS_SHOWN = 10 };

static enum order order;
static bool each_block;

static void take_order(const char *value)
{
	static const char *const names[] = {"bytes", "count", "peak", "left"};

	for (order = 0; order <= BY_LEFT; order++)
		if (strcmp(value, names[order]) == 0)
			return;
	usage_fail("--sort: '%s' is none of bytes, count, peak, left", value);
}

static void take_leaks(const char *unused)
{
	(void)unused;
	each_block = true;
}

/* ---- what all formats show ---- */

/* A table of one interval. */
struct memory {
	const struct heap *heap;
	const struct call_paths *paths;
	struct heap_site **sites;       /* in the order that was asked for */
};

/* Frames of a site, innermost first. */
struct frames {
	VECTOR(char *) texts;
};

/* Returns how many frames people want to see: not those that call main(). */
static size_t frames_shown(const struct frames *f)
{
	for (size_t i = 0; i < f->texts.n; i++)
		if (strncmp(f->texts.at[i], "main", 4) == 0 &&
		    (!f->texts.at[i][4] || strchr(" +", f->texts.at[i][4])))
			return i + 1;
	return f->texts.n;
}

static void frames_print(FILE *out, const struct frames *f)
{
	for (size_t i = 0; i < frames_shown(f); i++)
		fprintf(out, "      %s\n", f->texts.at[i]);
}

static void frames_clear(struct frames *f)
{
	for (size_t i = 0; i < f->texts.n; i++)
		free(f->texts.at[i]);
	free(f->texts.at);
}

static struct frames frames_of(const struct memory *m, const struct heap_site *s)
{
	const struct heap *h = m->heap;
	struct frames all = {0};
	struct frame f = {.parent = s->stack};

	if (h->by == SITE_CODE)
		*vector_add(&all.texts) = code_name(
		    h->trace, s->process, s->stack,
		    h->role->start.event->attributes[h->site_attribute].type == TYPE_CODE32,
		    s->time);
	while (h->by == SITE_STACK && all.texts.n < CALL_PATH_MOST &&
	       call_path_frame(m->paths, s->process, f.parent, &f))
		*vector_add(&all.texts) =
		    code_name(h->trace, s->process, f.address, f.low, f.time);
	if (!all.texts.n)
		*vector_add(&all.texts) =
		    text_format("%s", h->by == SITE_ONE ? h->role->interval->name : "(unknown)");
	return all;
}

static uint64_t site_weight(const struct heap_site *s, enum order by)
{
	switch (by) {
	case BY_COUNT: return s->taken.n;
	case BY_PEAK: return s->peak.bytes;
	case BY_LEFT: return s->alive.bytes;
	default: return s->taken.bytes;
	}
}

static enum order sorting;

static int site_compare(const void *left, const void *right)
{
	const struct heap_site *a = *(struct heap_site *const *)left;
	const struct heap_site *b = *(struct heap_site *const *)right;
	uint64_t x = site_weight(a, sorting), y = site_weight(b, sorting);

	if (x == y && sorting == BY_LEFT) {
		x = a->alive.n;
		y = b->alive.n;
	}
	if (x == y)
		return (a > b) - (a < b);
	return x < y ? 1 : -1;
}

static void sites_sort(struct memory *m, enum order by)
{
	sorting = by;
	qsort(m->sites, m->heap->nsites, sizeof *m->sites, site_compare);
}

static uint64_t block_address(const struct heap *h, const struct event *e)
{
	int object = h->role->start.object;

	return object < 0 ? 0 : (uint64_t)record_value(e->type, (unsigned)object, e->record).integer;
}

static uint64_t stray_address(const struct heap *h, const struct event *e)
{
	int object = h->role->end.object;

	return object < 0 ? 0 : (uint64_t)record_value(e->type, (unsigned)object, e->record).integer;
}

enum { THREAD_TEXT = 128 };

/* Names of threads are often the same. */
static const char *thread_text(char text[THREAD_TEXT], const struct trace_thread *t)
{
	snprintf(text, THREAD_TEXT, "%" PRIu32 " %s", t->number, t->name);
	return text;
}

static const char *thread_of(char text[THREAD_TEXT], const struct heap *h, const struct event *e)
{
	return thread_text(text, trace_thread(h->trace, e->thread));
}

/* ---- text ---- */

static void print_sum(FILE *out, const struct memory *m, const struct heap_sum *sum)
{
	char text[UNITS_TEXT];

	fputs(units_count(text, sum->n), out);
	if (m->heap->size.expression)
		fprintf(out, " (%s)", units_bytes(text, sum->bytes));
}

static void text_lifetimes(FILE *out, const struct heap *h)
{
	static const char *const names[HEAP_QUANTILES] = {"p50", "p90", "p99", "p99.9", "max"};
	char text[UNITS_TEXT];

	if (!h->ended)
		return;
	fputs("  lived         ", out);
	for (int i = 0; i < HEAP_QUANTILES; i++)
		fprintf(out, "%s%s %s", i ? ", " : "", names[i],
			units_time(text, (double)h->lifetimes[i]));
	putc('\n', out);
}

static void text_strays(FILE *out, const struct heap *h)
{
	char text[UNITS_TEXT];
	uint64_t again = 0;

	for (size_t i = 0; i < h->nstrays; i++)
		again += h->strays[i].again;
	if (h->nothing)
		fprintf(out, "  of nothing    %s ends of the address 0, as free(NULL)\n",
			units_count(text, h->nothing));
	if (again)
		fprintf(out, "  TWICE         %s ended what was ended before\n",
			units_count(text, again));
	if (h->nstrays > again)
		fprintf(out, "  foreign       %s ended what did not begin in this trace\n",
			units_count(text, h->nstrays - again));
}

static void text_summary(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;
	char text[UNITS_TEXT];

	visible_puts(out, h->role->interval->name);
	fputs("\n  taken         ", out);
	print_sum(out, m, &h->taken);
	if (h->peak.bytes)
		fprintf(out, "; at most %s at once", units_bytes(text, h->peak.bytes));
	if (h->peak.bytes)
		fprintf(out, ", at %s", units_time(text, (double)h->peak_time));
	fprintf(out, "\n  given back    %s", units_count(text, h->ended));
	if (h->elsewhere.n) {
		fputs("; by another thread ", out);
		print_sum(out, m, &h->elsewhere);
	}
	fputs("\n  never         ", out);
	print_sum(out, m, &h->alive);
	if (h->alive.n && h->slack.expression)
		fprintf(out, ", usable %s", units_bytes(text, h->alive.bytes + h->unused));
	putc('\n', out);
	text_strays(out, h);
	text_lifetimes(out, h);
}

/* Prints a table with the frames of each row's site below it. */
static void text_with_frames(FILE *out, const struct memory *m, struct columns *c, size_t n)
{
	char *text = NULL, *line, *rest;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		array_exhausted();
	columns_print(c, memory);
	fclose(memory);
	line = strtok_r(text, "\n", &rest);
	fprintf(out, "%s\n", line);
	for (size_t i = 0; i < n && (line = strtok_r(NULL, "\n", &rest)); i++) {
		struct frames f = frames_of(m, m->sites[i]);

		fprintf(out, "%s\n", line);
		frames_print(out, &f);
		frames_clear(&f);
	}
	free(text);
}

static const char *share_text(char text[UNITS_TEXT], uint64_t part, uint64_t whole)
{
	snprintf(text, UNITS_TEXT, "%.1f %%", whole ? 100.0 * (double)part / (double)whole : 0);
	return text;
}

/* What is left grows if some of it comes from each of the last three quarters of the run. */
static const char *growth(const struct heap_site *s)
{
	bool later = s->born[2].n || s->born[3].n;

	if (s->born[1].n && s->born[2].n && s->born[3].n)
		return "grows";
	return later ? "" : "early";
}

static void row_left(struct columns *c, const struct memory *m, const struct heap_site *s)
{
	char cells[5 + HEAP_AGES][UNITS_TEXT];
	const char *texts[6 + HEAP_AGES];
	bool sized = m->heap->size.expression;

	texts[0] = units_bytes(cells[0], s->alive.bytes);
	texts[1] = units_count(cells[1], s->alive.n);
	texts[2] = share_text(cells[2], sized ? s->alive.bytes : s->alive.n,
			      sized ? m->heap->alive.bytes : m->heap->alive.n);
	texts[3] = units_time(cells[3], (double)s->first);
	texts[4] = units_time(cells[4], (double)s->last);
	for (int i = 0; i < HEAP_AGES; i++)
		texts[5 + i] = units_count(cells[5 + i], s->born[i].n);
	texts[5 + HEAP_AGES] = growth(s);
	columns_add(c, texts);
}

static size_t shown(size_t n)
{
	return top_rows(n, ROWS_SHOWN);
}

static void text_more(FILE *out, size_t n, const char *what)
{
	char text[UNITS_TEXT];

	if (n > shown(n))
		fprintf(out, "and %s more %s: --top all\n", units_count(text, n - shown(n)), what);
}

static void text_left(FILE *out, struct memory *m)
{
	static const char *const head[] = {"bytes", "number", "share", "first at", "last at",
					   "of 1st", "2nd", "3rd", "4th quarter", ""};
	struct columns c = {.count = 6 + HEAP_AGES};
	size_t n = 0;

	sites_sort(m, BY_LEFT);
	while (n < m->heap->nsites && m->sites[n]->alive.n)
		n++;
	if (!n)
		return;
	fputs("\nnever given back, by call path; when these were taken\n", out);
	columns_add(&c, head);
	for (size_t i = 0; i < shown(n); i++)
		row_left(&c, m, m->sites[i]);
	text_with_frames(out, m, &c, shown(n));
	text_more(out, n, "call paths");
}

static void row_taken(struct columns *c, const struct memory *m, const struct heap_site *s)
{
	char cells[8][UNITS_TEXT];
	const char *texts[8];

	texts[0] = units_bytes(cells[0], s->taken.bytes);
	texts[1] = share_text(cells[1], s->taken.bytes, m->heap->taken.bytes);
	texts[2] = units_count(cells[2], s->taken.n);
	texts[3] = share_text(cells[3], s->taken.n, m->heap->taken.n);
	texts[4] = units_bytes(cells[4], s->peak.bytes);
	texts[5] = share_text(cells[5], s->peak.bytes, m->heap->peak.bytes);
	texts[6] = s->ended ? units_time(cells[6], s->lifetime / (double)s->ended) : "-";
	texts[7] = units_count(cells[7], s->elsewhere.n);
	columns_add(c, texts);
}

static void text_taken(FILE *out, struct memory *m)
{
	static const char *const head[] = {"bytes", "share", "number", "share", "at the peak",
					   "share", "mean life", "elsewhere"};
	static const char *const orders[] = {"bytes", "number", "bytes at the peak", "bytes left"};
	struct columns c = {.count = 8};
	size_t n = shown(m->heap->nsites);

	if (!n)
		return;
	sites_sort(m, order);
	fprintf(out, "\ntaken, by call path, most %s first\n", orders[order]);
	columns_add(&c, head);
	for (size_t i = 0; i < n; i++)
		row_taken(&c, m, m->sites[i]);
	text_with_frames(out, m, &c, n);
	text_more(out, m->heap->nsites, "call paths");
}

static void text_passages(FILE *out, const struct memory *m)
{
	static const char *const head[] = {"taken by", "given back by", "number", "bytes"};
	const struct heap *h = m->heap;
	struct columns c = {.count = 4, .left = 2};

	if (!h->npassages)
		return;
	fputs("\nbetween threads\n", out);
	columns_add(&c, head);
	for (size_t i = 0; i < shown(h->npassages); i++) {
		const struct heap_passage *p = &h->passages[i];
		char cells[2][UNITS_TEXT], from[THREAD_TEXT], to[THREAD_TEXT];

		columns_add(&c, (const char *[]){thread_text(from, &h->trace->threads[p->from]),
						 thread_text(to, &h->trace->threads[p->to]),
						 units_count(cells[0], p->sum.n),
						 units_bytes(cells[1], p->sum.bytes)});
	}
	columns_print(&c, out);
	text_more(out, h->npassages, "pairs of threads");
}

static void text_each_stray(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;
	struct columns c = {.count = 4, .left = 3};

	if (!h->nstrays)
		return;
	fputs("\nends of what was not alive\n", out);
	columns_add(&c, (const char *[]){"address", "", "thread", "at"});
	for (size_t i = 0; i < shown(h->nstrays); i++) {
		char digits[ADDRESS_TEXT], time[UNITS_TEXT], thread[THREAD_TEXT];
		struct event e;

		heap_stray_event(h, &h->strays[i], &e);
		columns_add(&c, (const char *[]){address_digits(digits, stray_address(h, &e)),
						 h->strays[i].again ? "twice" : "foreign",
						 thread_of(thread, h, &e),
						 units_time(time, (double)e.time)});
	}
	columns_print(&c, out);
	text_more(out, h->nstrays, "ends");
}

static void text_each_block(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;

	for (size_t i = 0; i < h->nblocks; i++) {
		struct frames f = frames_of(m, &h->sites[h->blocks[i].site]);
		char digits[ADDRESS_TEXT], text[UNITS_TEXT], thread[THREAD_TEXT];
		uint64_t bytes, unused;
		struct event e;

		heap_block_event(h, &h->blocks[i], &e, &bytes, &unused);
		fprintf(out, "%s", address_digits(digits, block_address(h, &e)));
		if (h->size.expression)
			fprintf(out, "  %s bytes", units_count(text, bytes));
		if (h->slack.expression)
			fprintf(out, ", usable %s", units_count(text, bytes + unused));
		fputs(", thread ", out);
		visible_puts(out, thread_of(thread, h, &e));
		fprintf(out, ", at %s\n", units_time(text, (double)e.time));
		frames_print(out, &f);
		frames_clear(&f);
	}
}

static void memory_text(FILE *out, struct memory *m)
{
	text_summary(out, m);
	if (each_block) {
		putc('\n', out);
		text_each_block(out, m);
		return;
	}
	text_left(out, m);
	text_taken(out, m);
	text_passages(out, m);
	text_each_stray(out, m);
}

/* ---- csv ---- */

static void csv_path(FILE *out, const struct memory *m, const struct heap_site *s)
{
	struct frames f = frames_of(m, s);

	csv_write_field(out, f.texts.at[0]);
	fputs(",\"", out);
	for (size_t k = f.texts.n; k-- > 0;) {
		csv_write_quoted(out, f.texts.at[k]);
		if (k)
			putc(';', out);
	}
	fputs("\"\n", out);
	frames_clear(&f);
}

static void csv_sum(FILE *out, const struct heap_sum *s)
{
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",", s->n, s->bytes);
}

static void csv_sites(FILE *out, struct memory *m)
{
	const struct heap *h = m->heap;

	sites_sort(m, order);
	for (size_t i = 0; i < h->nsites; i++) {
		const struct heap_site *s = m->sites[i];

		fprintf(out, "%s,", h->role->interval->name);
		csv_sum(out, &s->taken);
		csv_sum(out, &s->peak);
		fprintf(out, "%" PRIu64 ",", s->ended);
		csv_sum(out, &s->elsewhere);
		csv_sum(out, &s->alive);
		fprintf(out, "%" PRIu64 ",", s->unused);
		if (s->alive.n)
			fprintf(out, "%" PRId64 ",%" PRId64 ",", s->first, s->last);
		else
			fputs(",,", out);
		for (int k = 0; k < HEAP_AGES; k++)
			fprintf(out, "%" PRIu64 ",", s->born[k].n);
		if (s->ended)
			fprintf(out, "%.0f", s->lifetime / (double)s->ended);
		putc(',', out);
		csv_path(out, m, s);
	}
}

static void csv_blocks(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;

	for (size_t i = 0; i < h->nblocks; i++) {
		char digits[ADDRESS_TEXT];
		uint64_t bytes, unused;
		struct event e;

		heap_block_event(h, &h->blocks[i], &e, &bytes, &unused);
		fprintf(out, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRId64 ",",
			h->role->interval->name, address_digits(digits, block_address(h, &e)),
			bytes, bytes + unused, e.thread, e.time);
		csv_path(out, m, &h->sites[h->blocks[i].site]);
	}
}

static void csv_head(FILE *out)
{
	fputs(each_block ? "interval,address,bytes,usable,thread,time,site,path\n"
			 : "interval,count,bytes,peak_count,peak_bytes,freed,elsewhere,"
			   "elsewhere_bytes,alive,alive_bytes,alive_unused,alive_first,alive_last,"
			   "born_1,born_2,born_3,born_4,lifetime_mean,site,path\n",
	      out);
}

/* ---- json ---- */

static void json_sum(struct json *j, const char *key, const struct heap_sum *s)
{
	json_object(j, key);
	json_uint(j, "count", s->n);
	json_uint(j, "bytes", s->bytes);
	json_close(j);
}

static void json_path(struct json *j, const struct memory *m, const struct heap_site *s)
{
	struct frames f = frames_of(m, s);

	json_string(j, "site", f.texts.at[0]);
	json_array(j, "path");
	for (size_t k = f.texts.n; k-- > 0;)
		json_string(j, NULL, f.texts.at[k]);
	json_close(j);
	frames_clear(&f);
}

static void json_site(struct json *j, const struct memory *m, const struct heap_site *s)
{
	json_object(j, NULL);
	json_sum(j, "taken", &s->taken);
	json_sum(j, "peak", &s->peak);
	json_uint(j, "freed", s->ended);
	json_sum(j, "elsewhere", &s->elsewhere);
	json_sum(j, "alive", &s->alive);
	json_uint(j, "alive_unused", s->unused);
	if (s->alive.n) {
		json_int(j, "alive_first", s->first);
		json_int(j, "alive_last", s->last);
	}
	json_array(j, "born");
	for (int k = 0; k < HEAP_AGES; k++)
		json_uint(j, NULL, s->born[k].n);
	json_close(j);
	if (s->ended)
		json_real(j, "lifetime_mean", s->lifetime / (double)s->ended);
	json_path(j, m, s);
	json_close(j);
}

static void json_blocks(struct json *j, const struct memory *m)
{
	const struct heap *h = m->heap;

	json_array(j, "blocks");
	for (size_t i = 0; i < h->nblocks; i++) {
		char digits[ADDRESS_TEXT];
		uint64_t bytes, unused;
		struct event e;

		heap_block_event(h, &h->blocks[i], &e, &bytes, &unused);
		json_object(j, NULL);
		json_string(j, "address", address_digits(digits, block_address(h, &e)));
		json_uint(j, "bytes", bytes);
		json_uint(j, "usable", bytes + unused);
		json_uint(j, "thread", e.thread);
		json_int(j, "time", e.time);
		json_path(j, m, &h->sites[h->blocks[i].site]);
		json_close(j);
	}
	json_close(j);
}

static void json_strays(struct json *j, const struct heap *h)
{
	json_array(j, "strays");
	for (size_t i = 0; i < h->nstrays; i++) {
		char digits[ADDRESS_TEXT];
		struct event e;

		heap_stray_event(h, &h->strays[i], &e);
		json_object(j, NULL);
		json_string(j, "address", address_digits(digits, stray_address(h, &e)));
		json_string(j, "what", h->strays[i].again ? "twice" : "foreign");
		json_uint(j, "thread", e.thread);
		json_int(j, "time", e.time);
		json_close(j);
	}
	json_close(j);
}

static void json_totals(struct json *j, const struct heap *h)
{
	static const char *const names[HEAP_QUANTILES] = {"p50", "p90", "p99", "p99_9", "max"};

	json_sum(j, "taken", &h->taken);
	json_sum(j, "peak", &h->peak);
	json_int(j, "peak_time", h->peak_time);
	json_uint(j, "freed", h->ended);
	json_uint(j, "freed_nothing", h->nothing);
	json_sum(j, "elsewhere", &h->elsewhere);
	json_sum(j, "alive", &h->alive);
	json_uint(j, "alive_unused", h->unused);
	json_object(j, "lifetime");
	for (int i = 0; i < HEAP_QUANTILES && h->ended; i++)
		json_int(j, names[i], h->lifetimes[i]);
	json_close(j);
}

static void memory_json(struct json *j, struct memory *m)
{
	const struct heap *h = m->heap;

	json_object(j, NULL);
	json_string(j, "interval", h->role->interval->name);
	json_totals(j, h);
	sites_sort(m, order);
	json_array(j, "sites");
	for (size_t i = 0; i < h->nsites; i++)
		json_site(j, m, m->sites[i]);
	json_close(j);
	json_array(j, "between_threads");
	for (size_t i = 0; i < h->npassages; i++) {
		const struct heap_passage *p = &h->passages[i];

		json_object(j, NULL);
		json_uint(j, "from", h->trace->threads[p->from].number);
		json_uint(j, "to", h->trace->threads[p->to].number);
		json_sum(j, "sum", &p->sum);
		json_close(j);
	}
	json_close(j);
	json_strays(j, h);
	if (each_block)
		json_blocks(j, m);
	json_close(j);
}

/* ---- all ---- */

static bool is_wanted(const struct interval **chosen, const struct role *r)
{
	for (; *chosen; chosen++)
		if (*chosen == r->interval)
			return !role_is_threads_life(r);
	return false;
}

static void role_show(struct request *r, struct json *j, struct trace *t, const struct role *role,
		      const struct call_paths *paths)
{
	struct heap *h = heap_of(t, role);
	struct memory m = {.heap = h, .paths = paths};

	m.sites = array_new(h->nsites, sizeof *m.sites);
	for (size_t i = 0; i < h->nsites; i++)
		m.sites[i] = &h->sites[i];
	if (r->format == FORMAT_JSON)
		memory_json(j, &m);
	else if (r->format == FORMAT_TEXT)
		memory_text(r->out, &m);
	else if (each_block)
		csv_blocks(r->out, &m);
	else
		csv_sites(r->out, &m);
	free(m.sites);
	heap_free(h);
}

static void none_found(struct request *r)
{
	diag_warning(&r->diag, "memory", DIAG_NOWHERE,
		     "the specification has no interval of kind \"life\" of objects; blocks of "
		     "memory are recorded by: glimpse record --probes memory -- PROGRAM");
}

static int memory_run(struct request *r)
{
	struct trace *t = request_open(r);
	const struct interval **chosen = t ? intervals_chosen(t, &r->diag) : NULL;
	struct call_paths *paths;
	struct role *roles;
	unsigned n, found = 0;
	struct json j;

	if (!chosen) {
		trace_close(t);
		return EXIT_ERROR;
	}
	roles = roles_of_kind(t->spec, KIND_LIFE, &n);
	paths = call_paths_make(t);
	if (r->format == FORMAT_CSV)
		csv_head(r->out);
	if (r->format == FORMAT_JSON) {
		j = json_begin(r->out, 3);
		json_array(&j, NULL);
	}
	for (unsigned i = 0; i < n; i++) {
		if (!is_wanted(chosen, &roles[i]))
			continue;
		if (found++ && r->format == FORMAT_TEXT)
			putc('\n', r->out);
		role_show(r, &j, t, &roles[i], paths);
	}
	if (r->format == FORMAT_JSON)
		json_close(&j);
	if (!found)
		none_found(r);
	if (r->format == FORMAT_TEXT)
		off_remark(r->out, t);
	call_paths_free(paths);
	free(roles);
	free(chosen);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    INTERVAL_OPTION,
    {'l', "leaks", NULL, "each thing that was never given back, with its stack", take_leaks},
    {0, "sort", "ORDER", "call paths with the most first: bytes, count, peak or left", take_order},
    TOP_OPTION("10"),
    MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_memory = {
    .name = "memory",
    .summary = "what was never freed, who allocates most, and how long it lives",
    .teaches =
	"Prints what lives and ends: blocks of memory, and all else that is an interval of kind\n"
	"\"life\" of objects. What was never given back stands first, by the call path that took\n"
	"it, with the quarters of the run from which it is: what comes from all of them grows.\n"
	"Then who takes most, which threads give back what others took, and ends of what is not\n"
	"alive: given back twice, or never taken.\n",
    .examples = "  glimpse record --probes memory -o run1 -- ./program\n"
		"  glimpse memory run1\n"
		"  glimpse memory run1 --sort=peak --top=3\n"
		"  glimpse memory run1 --leaks --format=csv\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = memory_run,
};
