#include "base/array.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include "cli/memory.h"
#include "trace/address.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 10 };

/* Returns the number of frames to show: the callers of main() are left out. */
static size_t frames_shown(const struct memory_frames *f)
{
	for (size_t i = 0; i < f->texts.n; i++)
		if (strncmp(f->texts.at[i], "main", 4) == 0 &&
		    (!f->texts.at[i][4] || strchr(" +", f->texts.at[i][4])))
			return i + 1;
	return f->texts.n;
}

static void frames_print(FILE *out, const struct memory_frames *f)
{
	for (size_t i = 0; i < frames_shown(f); i++)
		fprintf(out, "      %s\n", f->texts.at[i]);
}

static const char *thread_of(const struct heap *h, const struct event *e)
{
	return trace_thread(h->trace, e->thread)->label;
}

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
	fputs("  lifetime      ", out);
	for (int i = 0; i < HEAP_QUANTILES; i++)
		fprintf(out, "%s%s %s", i ? ", " : "", names[i],
			units_time(text, (double)h->lifetimes[i]));
	putc('\n', out);
}

static void text_unmatched(FILE *out, const struct heap *h)
{
	char text[UNITS_TEXT];
	uint64_t again = 0;

	for (size_t i = 0; i < h->nunmatched; i++)
		again += h->unmatched[i].again;
	if (h->nothing)
		fprintf(out, "  free(NULL)    %s\n", units_count(text, h->nothing));
	if (again)
		fprintf(out, "  double free   %s\n", units_count(text, again));
	if (h->nunmatched > again)
		fprintf(out, "  unknown free  %s of addresses that this trace did not allocate\n",
			units_count(text, h->nunmatched - again));
}

/* Memory that stays with the process though little of it is in use, such as fragmented blocks. */
static void text_resident(FILE *out, const struct heap *h)
{
	const struct resident *r = &h->resident;
	char most[UNITS_TEXT], bytes[UNITS_TEXT], time[UNITS_TEXT], in_use[UNITS_TEXT];
	char last[UNITS_TEXT];

	if (!role_is_of_memory(h->role))
		return;
	if (r->known)
		fprintf(
		    out,
		    "  resident      at most %s; %s at %s, with %s in use; %s at the last sample\n",
		    units_bytes(most, r->most), units_bytes(bytes, r->bytes),
		    units_time(time, (double)r->time), units_bytes(in_use, r->in_use),
		    units_bytes(last, r->last));
	else
		fputs("  resident      -\n", out);
}

static void text_summary(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;
	char text[UNITS_TEXT];

	visible_puts(out, h->role->interval->name);
	fputs("\n  allocated     ", out);
	print_sum(out, m, &h->taken);
	if (h->peak.bytes)
		fprintf(out, "; peak %s", units_bytes(text, h->peak.bytes));
	if (h->peak.bytes)
		fprintf(out, " at %s", units_time(text, (double)h->peak_time));
	fprintf(out, "\n  freed         %s", units_count(text, h->ended));
	if (h->elsewhere.n) {
		fputs("; by another thread ", out);
		print_sum(out, m, &h->elsewhere);
	}
	if (h->unseen)
		fprintf(
		    out,
		    "\n  missed free   %s: the address was allocated again, but its free was not logged",
		    units_count(text, h->unseen));
	fputs("\n  never freed   ", out);
	print_sum(out, m, &h->alive);
	if (h->alive.n && h->slack.expression)
		fprintf(out, ", usable %s", units_bytes(text, h->alive.bytes + h->unused));
	putc('\n', out);
	text_resident(out, h);
	text_unmatched(out, h);
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
		struct memory_frames f = memory_frames(m, m->sites[i]);

		fprintf(out, "%s\n", line);
		frames_print(out, &f);
		memory_frames_clear(&f);
	}
	free(text);
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
	texts[2] = percent_text(cells[2], (double)(sized ? s->alive.bytes : s->alive.n),
				(double)(sized ? m->heap->alive.bytes : m->heap->alive.n));
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

/* Whether the C library or its loader allocates for itself there: it keeps that to the end. */
static bool is_of_c_library(const struct memory *m, const struct heap_site *s)
{
	static const char *const begins[] = {"_IO_file_doallocate", "_IO_wfile_doallocate", "_dl_",
					     "allocate_dtv", "tls_get_addr_tail"};
	struct memory_frames f = memory_frames(m, s);
	bool found = false;

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		found |= strncmp(f.texts.at[0], begins[i], strlen(begins[i])) == 0;
	memory_frames_clear(&f);
	return found;
}

/* Moves what the C library keeps behind the other ones of n sites. Returns how many these are. */
static size_t own_last(struct memory *m, size_t n, struct heap_sum *own)
{
	struct heap_site **kept = array_new(n, sizeof(struct heap_site *));
	size_t first = 0, last = n;

	for (size_t i = 0; i < n; i++) {
		struct heap_site *s = m->sites[i];
		bool of_library = is_of_c_library(m, s);

		own->n += of_library ? s->alive.n : 0;
		own->bytes += of_library ? s->alive.bytes : 0;
		kept[of_library ? --last : first++] = s;
	}
	memcpy(m->sites, kept, n * sizeof(struct heap_site *));
	free(kept);
	return first;
}

static void text_left(FILE *out, struct memory *m)
{
	static const char *const head[] = {"bytes", "count", "share", "first at",    "last at",
					   "1st",   "2nd",   "3rd",   "4th quarter", ""};
	struct columns c = {.count = 6 + HEAP_AGES};
	struct heap_sum own = {0};
	size_t n = 0;

	memory_sort(m, BY_LEFT);
	while (n < m->heap->nsites && m->sites[n]->alive.n)
		n++;
	n = own_last(m, n, &own);
	if (own.n) {
		fputs("  no leak       ", out);
		print_sum(out, m, &own);
		fputs(": buffers and tables that the C library keeps until the end\n", out);
	}
	if (!n)
		return;
	fputs("\nnever freed, by call stack and by the quarter of the run that allocated them\n",
	      out);
	columns_add(&c, head);
	for (size_t i = 0; i < shown(n); i++)
		row_left(&c, m, m->sites[i]);
	text_with_frames(out, m, &c, shown(n));
	text_more(out, n, "call stacks");
}

static void row_taken(struct columns *c, const struct memory *m, const struct heap_site *s)
{
	char cells[8][UNITS_TEXT];
	const char *texts[8];

	texts[0] = units_bytes(cells[0], s->taken.bytes);
	texts[1] = percent_text(cells[1], (double)s->taken.bytes, (double)m->heap->taken.bytes);
	texts[2] = units_count(cells[2], s->taken.n);
	texts[3] = percent_text(cells[3], (double)s->taken.n, (double)m->heap->taken.n);
	texts[4] = units_bytes(cells[4], s->peak.bytes);
	texts[5] = percent_text(cells[5], (double)s->peak.bytes, (double)m->heap->peak.bytes);
	texts[6] = s->ended ? units_time(cells[6], s->lifetime / (double)s->ended) : "-";
	texts[7] = units_count(cells[7], s->elsewhere.n);
	columns_add(c, texts);
}

static void text_taken(FILE *out, struct memory *m)
{
	static const char *const head[] = {
	    "bytes",   "share", "count",         "share",
	    "at peak", "share", "mean lifetime", "cross-thread frees"};
	static const char *const orders[] = {"bytes", "allocations", "bytes at the peak",
					     "bytes never freed"};
	struct columns c = {.count = 8};
	size_t n = shown(m->heap->nsites);

	if (!n)
		return;
	memory_sort(m, m->order);
	fprintf(out, "\nallocated, by call stack, most %s first\n", orders[m->order]);
	columns_add(&c, head);
	for (size_t i = 0; i < n; i++)
		row_taken(&c, m, m->sites[i]);
	text_with_frames(out, m, &c, n);
	text_more(out, m->heap->nsites, "call stacks");
}

static void text_passages(FILE *out, const struct memory *m)
{
	static const char *const head[] = {"allocated by", "freed by", "count", "bytes"};
	const struct heap *h = m->heap;
	struct columns c = {.count = 4, .left = 2};

	if (!h->npassages)
		return;
	fputs("\ncross-thread frees\n", out);
	columns_add(&c, head);
	for (size_t i = 0; i < shown(h->npassages); i++) {
		const struct heap_passage *p = &h->passages[i];
		char cells[2][UNITS_TEXT];

		columns_add(&c, (const char *[]){h->trace->threads[p->from].label,
						 h->trace->threads[p->to].label,
						 units_count(cells[0], p->sum.n),
						 units_bytes(cells[1], p->sum.bytes)});
	}
	columns_print(&c, out);
	text_more(out, h->npassages, "thread pairs");
}

static void text_each_unmatched(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;
	struct columns c = {.count = 4, .left = 3};

	if (!h->nunmatched)
		return;
	fputs("\ninvalid frees\n", out);
	columns_add(&c, (const char *[]){"address", "error", "thread", "time"});
	for (size_t i = 0; i < shown(h->nunmatched); i++) {
		char digits[ADDRESS_TEXT], time[UNITS_TEXT];
		struct event e;

		heap_unmatched_event(h, &h->unmatched[i], &e);
		columns_add(
		    &c, (const char *[]){address_digits(digits, memory_unmatched_address(h, &e)),
					 h->unmatched[i].again ? "double free" : "unknown address",
					 thread_of(h, &e), units_time(time, (double)e.time)});
	}
	columns_print(&c, out);
	text_more(out, h->nunmatched, "invalid frees");
}

static void text_each_block(FILE *out, const struct memory *m)
{
	const struct heap *h = m->heap;

	for (size_t i = 0; i < h->nblocks; i++) {
		struct memory_frames f = memory_frames(m, &h->sites[h->blocks[i].site]);
		char digits[ADDRESS_TEXT], text[UNITS_TEXT];
		uint64_t bytes, unused;
		struct event e;

		heap_block_event(h, &h->blocks[i], &e, &bytes, &unused);
		fprintf(out, "%s", address_digits(digits, memory_block_address(h, &e)));
		if (h->size.expression)
			fprintf(out, "  %s bytes", units_count(text, bytes));
		if (h->slack.expression)
			fprintf(out, ", usable %s", units_count(text, bytes + unused));
		fputs(", thread ", out);
		visible_puts(out, thread_of(h, &e));
		fprintf(out, ", at %s\n", units_time(text, (double)e.time));
		frames_print(out, &f);
		memory_frames_clear(&f);
	}
}

void memory_text(FILE *out, struct memory *m)
{
	text_summary(out, m);
	if (m->each_block) {
		putc('\n', out);
		text_each_block(out, m);
		return;
	}
	text_left(out, m);
	text_taken(out, m);
	text_passages(out, m);
	text_each_unmatched(out, m);
}
