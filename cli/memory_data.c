#include "base/csv.h"
#include "cli/common/text.h"
#include "cli/memory.h"
#include "trace/address.h"
#include "trace/stream/losses.h"
#include <inttypes.h>

/* ---- csv ---- */

static void csv_path(FILE *out, const struct memory *m, const struct heap_site *s)
{
	struct memory_frames f = memory_frames(m, s);

	csv_write_field(out, f.texts.at[0]);
	fputs(",\"", out);
	for (size_t k = f.texts.n; k-- > 0;) {
		csv_write_quoted(out, f.texts.at[k]);
		if (k)
			putc(';', out);
	}
	fputs("\"\n", out);
	memory_frames_clear(&f);
}

static void csv_sum(FILE *out, const struct heap_sum *s)
{
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",", s->n, s->bytes);
}

static void csv_sites(FILE *out, struct memory *m)
{
	const struct heap *h = m->heap;

	memory_sort(m, m->order);
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
			print_real(out, s->lifetime / (double)s->ended);
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
			h->role->interval->name,
			address_digits(digits, memory_block_address(h, &e)), bytes, bytes + unused,
			e.thread, e.time);
		csv_path(out, m, &h->sites[h->blocks[i].site]);
	}
}

void memory_csv_head(FILE *out, bool each_block)
{
	fputs(each_block ? "interval,address,bytes,usable,thread,time,site,path\n"
			 : "interval,count,bytes,peak_count,peak_bytes,freed,elsewhere,"
			   "elsewhere_bytes,alive,alive_bytes,alive_unused,alive_first,alive_last,"
			   "born_1,born_2,born_3,born_4,lifetime_mean,site,path\n",
	      out);
}

void memory_csv(FILE *out, struct memory *m)
{
	if (m->each_block)
		csv_blocks(out, m);
	else
		csv_sites(out, m);
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
	struct memory_frames f = memory_frames(m, s);

	json_string(j, "site", f.texts.at[0]);
	json_array(j, "path");
	for (size_t k = f.texts.n; k-- > 0;)
		json_string(j, NULL, f.texts.at[k]);
	json_close(j);
	memory_frames_clear(&f);
}

static void json_site(struct json *j, const struct memory *m, const struct heap_site *s)
{
	json_object(j, NULL);
	json_sum(j, "taken", &s->taken);
	json_sum(j, "peak", &s->peak);
	json_uint(j, "freed", s->ended);
	json_uint(j, "freed_unseen", s->unseen);
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
		json_string(j, "address", address_digits(digits, memory_block_address(h, &e)));
		json_uint(j, "bytes", bytes);
		json_uint(j, "usable", bytes + unused);
		json_uint(j, "thread", e.thread);
		json_int(j, "time", e.time);
		json_path(j, m, &h->sites[h->blocks[i].site]);
		json_close(j);
	}
	json_close(j);
}

static void json_unmatched(struct json *j, const struct heap *h)
{
	json_array(j, "strays");
	for (size_t i = 0; i < h->nunmatched; i++) {
		char digits[ADDRESS_TEXT];
		struct event e;

		heap_unmatched_event(h, &h->unmatched[i], &e);
		json_object(j, NULL);
		json_string(j, "address", address_digits(digits, memory_unmatched_address(h, &e)));
		json_string(j, "what", h->unmatched[i].again ? "twice" : "foreign");
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
	known_json(j, "peak_time", h->peak.n, h->peak_time);
	known_json(j, "resident", h->resident.known, (int64_t)h->resident.bytes);
	known_json(j, "resident_time", h->resident.known, h->resident.time);
	known_json(j, "resident_in_use", h->resident.known, (int64_t)h->resident.in_use);
	known_json(j, "resident_most", h->resident.known, (int64_t)h->resident.most);
	known_json(j, "resident_last", h->resident.known, (int64_t)h->resident.last);
	json_uint(j, "freed", h->ended);
	json_uint(j, "freed_unseen", h->unseen);
	json_uint(j, "freed_nothing", h->nothing);
	json_sum(j, "elsewhere", &h->elsewhere);
	json_sum(j, "alive", &h->alive);
	json_uint(j, "alive_unused", h->unused);
	json_object(j, "lifetime");
	for (int i = 0; i < HEAP_QUANTILES && h->ended; i++)
		json_int(j, names[i], h->lifetimes[i]);
	json_close(j);
}

void memory_json(struct json *j, struct memory *m)
{
	const struct heap *h = m->heap;
	struct losses losses = losses_of(h->trace);

	json_object(j, NULL);
	json_string(j, "interval", h->role->interval->name);
	losses_json(j, &losses);
	json_totals(j, h);
	memory_sort(m, m->order);
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
	json_unmatched(j, h);
	if (m->each_block)
		json_blocks(j, m);
	json_close(j);
}
