#include "analysis/flame/off_cpu.h"
#include "config.h"
#include "formats/export.h"
#include "formats/export_calls.h"

#ifdef HAVE_PROTOBUF_C
#include "base/array.h"
#include "base/hash.h"
#include "formats/profile.pb-c.h"
#include <stdlib.h>
#include <zlib.h>

/* The message as it grows; all is freed at the end by the library. */
struct pprof {
	const struct calls *calls;
	const struct off_cpu *off_cpu;
	Pprof__Profile *profile;
	VECTOR(char *) strings;
	VECTOR(Pprof__Sample *) samples;
	bool sampled; /* calls are not known of all functions */
};

static int64_t string_add(struct pprof *p, const char *text, size_t length)
{
	*vector_add(&p->strings) = text_format("%.*s", (int)length, text);
	return (int64_t)p->strings.n - 1;
}

static int64_t text_add(struct pprof *p, const char *text)
{
	return string_add(p, text, strlen(text));
}

#define MESSAGE(type, init) \
	__extension__({ \
		type *message_ = malloc(sizeof *message_); \
		if (!message_) \
			array_exhausted(); \
		init(message_); \
		message_; \
	})

static Pprof__ValueType *value_type(struct pprof *p, const char *type, const char *unit)
{
	Pprof__ValueType *v = MESSAGE(Pprof__ValueType, pprof__value_type__init);

	v->type = text_add(p, type);
	v->unit = text_add(p, unit);
	return v;
}

/* ---- functions: each is a location ---- */

static void function_set(struct pprof *p, size_t i, const struct call_function *f)
{
	Pprof__Function *function = MESSAGE(Pprof__Function, pprof__function__init);
	Pprof__Location *location = MESSAGE(Pprof__Location, pprof__location__init);
	Pprof__Line *line = MESSAGE(Pprof__Line, pprof__line__init);
	const char *colon = f->line ? strrchr(f->line, ':') : NULL;

	function->id = location->id = line->function_id = i + 1;
	function->name = function->system_name = text_add(p, f->name);
	if (colon) {
		function->filename = string_add(p, f->line, (size_t)(colon - f->line));
		function->start_line = line->line = strtol(colon + 1, NULL, 10);
	}
	location->n_line = 1;
	location->line = array_new(1, sizeof(Pprof__Line *));
	location->line[0] = line;
	p->profile->function[i] = function;
	p->profile->location[i] = location;
}

static void functions_set(struct pprof *p)
{
	static const struct call_function elsewhere = {.name = "(many paths)"};
	size_t n = p->calls->nfunctions + 1;

	p->profile->n_function = p->profile->n_location = n;
	p->profile->function = array_new(n, sizeof(Pprof__Function *));
	p->profile->location = array_new(n, sizeof(Pprof__Location *));
	for (size_t i = 0; i < n; i++)
		function_set(p, i, i + 1 < n ? &p->calls->functions[i] : &elsewhere);
}

/* ---- samples ---- */

enum { NVALUES = 3 };

/* Strings of the labels of a thread's samples; a state or wait of 0 is not known. */
struct labels {
	int64_t thread_key, tid_key, state_key, wait_key;
	int64_t running, ready, blocked;
	int64_t thread, tid;
	int64_t *waits; /* by wait of off_cpu */
};

static void label_add(Pprof__Sample *s, int64_t key, int64_t text, int64_t number)
{
	Pprof__Label *label = MESSAGE(Pprof__Label, pprof__label__init);

	label->key = key;
	label->str = text;
	label->num = number;
	s->label = array_resize(s->label, s->n_label + 1, sizeof *s->label);
	s->label[s->n_label++] = label;
}

/* Adds the stack of a node. */
static void sample_add(struct pprof *p, const struct call_tree *t, uint32_t node,
		       const struct labels *l, int64_t state, int64_t wait,
		       const int64_t values[NVALUES])
{
	Pprof__Sample *s = MESSAGE(Pprof__Sample, pprof__sample__init);
	uint32_t path[PATH_MOST];

	s->n_location_id = path_of(t, node, path);
	s->location_id = array_new(s->n_location_id, sizeof *s->location_id);
	for (size_t i = 0; i < s->n_location_id; i++)
		s->location_id[i] =
		    (path[i] == NO_FUNCTION ? p->calls->nfunctions : path[i]) + UINT64_C(1);
	s->n_value = NVALUES;
	s->value = array_new(NVALUES, sizeof *s->value);
	memcpy(s->value, values, NVALUES * sizeof *values);
	label_add(s, l->thread_key, l->thread, 0);
	if (l->tid)
		label_add(s, l->tid_key, 0, l->tid);
	if (state)
		label_add(s, l->state_key, state, 0);
	if (wait)
		label_add(s, l->wait_key, wait, 0);
	*vector_add(&p->samples) = s;
}

/* Pauses of a node whose labels are the same. */
struct pauses_alike {
	uint32_t node;
	bool ready;
	int64_t wait, time;
};
typedef VECTOR(struct pauses_alike) pauses_vector;

/*
 * Adds up the pauses of a thread, and gives what each node has; both are to be freed. Where
 * functions are known from samples, a pause has no stack: the next sample is of what came after it.
 */
static int64_t *pauses_join(const struct labels *l, const struct thread_calls *c,
			    pauses_vector *joined)
{
	int64_t *times = array_zero(c->tree.n, sizeof *times);
	struct hash_table known = {0};

	for (size_t i = 0; c->states && i < c->npaused; i++) {
		const struct call_paused *x = &c->paused[i];
		bool ready = reason_ready(x->reason);
		int64_t wait = l->waits[reason_wait(x->reason)];
		uint32_t node = c->sampled ? CALL_ROOT : x->node;
		struct hash_slot *slot;

		if (!c->tree.nodes[x->node].calls)
			continue;
		slot = hash_table_slot(&known, hash_mix((uint64_t)wait << 33 ^ node),
				       (uint64_t)wait << 1 | ready);
		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)joined->n;
			*vector_add(joined) = (struct pauses_alike){node, ready, wait, 0};
		}
		joined->at[slot->head].time += x->time;
		times[x->node] += x->time;
	}
	hash_table_free(&known);
	return times;
}

static void thread_add(struct pprof *p, const struct labels *l, const struct thread_calls *c)
{
	const struct call_tree *t = &c->tree;
	pauses_vector pauses = {0};
	int64_t *paused = pauses_join(l, c, &pauses);

	for (uint32_t i = 1; i < t->n; i++) {
		const struct call_node *n = &t->nodes[i];
		int64_t values[NVALUES] = {(int64_t)(p->sampled ? n->samples : n->calls),
					   n->own.total - paused[i], n->cpu.total};

		if (n->calls)
			sample_add(p, t, i, l, c->states ? l->running : 0, 0, values);
	}
	for (size_t i = 0; i < pauses.n; i++) {
		const struct pauses_alike *x = &pauses.at[i];
		int64_t values[NVALUES] = {0, x->time, 0};

		sample_add(p, t, x->node, l, x->ready ? l->ready : l->blocked, x->wait, values);
	}
	free(paused);
	free(pauses.at);
}

static int64_t *wait_texts(struct pprof *p)
{
	int64_t *texts = array_zero(p->off_cpu->waits.n, sizeof *texts);
	struct hash_table known = {0};

	for (size_t i = 1; i < p->off_cpu->waits.n; i++) {
		const char *name =
		    p->off_cpu->waits.at[i].name; /* the same pointer for the same text */
		struct hash_slot *slot = hash_table_slot(&known, hash_mix((uintptr_t)name), 0);

		if (slot->head == HASH_NOTHING)
			slot->head = (uint32_t)text_add(p, name);
		texts[i] = slot->head;
	}
	hash_table_free(&known);
	return texts;
}

static void samples_add(struct pprof *p)
{
	const struct trace *trace = p->calls->trace;
	struct labels l = {.thread_key = text_add(p, "thread"),
			   .tid_key = text_add(p, "tid"),
			   .state_key = text_add(p, "state"),
			   .wait_key = text_add(p, "wait"),
			   .running = text_add(p, "running"),
			   .ready = text_add(p, "ready"),
			   .blocked = text_add(p, "blocked")};

	l.waits = wait_texts(p);
	for (unsigned i = 0; i < trace->nthreads; i++) {
		if (p->calls->threads[i].tree.n < 2)
			continue;
		l.thread = text_add(p, trace->threads[i].label);
		l.tid = (int64_t)trace->threads[i].tid;
		thread_add(p, &l, &p->calls->threads[i]);
	}
	free(l.waits);
}

/* ---- all ---- */

static bool compressed_write(FILE *out, const unsigned char *bytes, size_t size)
{
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size};
	unsigned char part[1 << 14];
	int status;

	/* 16: with the header of gzip */
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		array_exhausted();
	do {
		z.next_out = part;
		z.avail_out = sizeof part;
		status = deflate(&z, Z_FINISH);
		fwrite(part, 1, sizeof part - z.avail_out, out);
	} while (status == Z_OK);
	deflateEnd(&z);
	return status == Z_STREAM_END;
}

static void profile_fill(struct pprof *p)
{
	Pprof__Profile *profile = p->profile;

	text_add(p, "");
	for (unsigned i = 0; i < p->calls->trace->nthreads; i++)
		p->sampled |= p->calls->threads[i].sampled;
	profile->n_sample_type = NVALUES;
	profile->sample_type = array_new(NVALUES, sizeof(Pprof__ValueType *));
	profile->sample_type[0] = value_type(p, p->sampled ? "samples" : "calls", "count");
	profile->sample_type[1] = value_type(p, "own", "nanoseconds");
	profile->sample_type[2] = value_type(p, "cpu", "nanoseconds");
	profile->default_sample_type = profile->sample_type[2]->type;
	profile->period_type = value_type(p, "cpu", "nanoseconds");
	profile->period = 1;
	profile->time_nanos = p->calls->trace->origin_real;
	profile->duration_nanos = p->calls->trace->duration;
	functions_set(p);
	samples_add(p);
	profile->n_sample = p->samples.n;
	profile->sample = p->samples.at;
	profile->n_string_table = p->strings.n;
	profile->string_table = p->strings.at;
}

/*
 * A profile.proto of pprof, compressed. The calls are those with the pauses of `waits`: each stack
 * has a sample for each state of its thread.
 */
static void pprof_write(FILE *out, const struct calls *c, const struct off_cpu *waits)
{
	struct pprof p = {
	    .calls = c, .off_cpu = waits, .profile = MESSAGE(Pprof__Profile, pprof__profile__init)};
	unsigned char *bytes;
	size_t size;

	profile_fill(&p);
	size = pprof__profile__get_packed_size(p.profile);
	bytes = array_new(size, 1);
	pprof__profile__pack(p.profile, bytes);
	compressed_write(out, bytes, size);
	free(bytes);
	pprof__profile__free_unpacked(p.profile, NULL);
}

static bool pprof_of(FILE *out, const struct export_request *r)
{
	struct call_part part = CALL_PART_ALL;
	struct off_cpu waits;
	struct calls *c;

	off_cpu_make(&waits, r->trace);
	part.threads = r->threads;
	part.pauses = waits.threads;
	c = calls_of(r->trace, &part);
	pprof_write(out, c, &waits);
	calls_free(c);
	off_cpu_free(&waits);
	return true;
}
#else
static bool pprof_of(FILE *out, const struct export_request *r)
{
	(void)out;
	return export_built_without(r, "protobuf-c", "pprof",
				    "libprotobuf-c-dev protobuf-c-compiler");
}
#endif

const struct export_format export_pprof = {
    .name = "pprof",
    .summary = "the same with the time in which threads did not run, for pprof",
    .calls = true,
    .write = pprof_of,
};
