#include "analysis/flame/time_window_store.h"
#include "analysis/flame/time_window_parts.h"
#include "trace/format/varint_put.h"
#include <stdlib.h>

/* ---- writing: what is needed ---- */

struct stored_moment {
	uint32_t key;
	int64_t time;
};

/* Of a thread. What lies between two moments has one of its own, whose key has no frames. */
struct thread_part {
	VECTOR(struct stored_moment) moments;
	int64_t from, to;
	uint32_t nkeys; /* that of the thread; which is the key of what lies between */
	/* by key, and of what lies between: that in the bytes, from 1; 0: not needed */
	uint32_t *numbers;
};

struct storing {
	const struct time_window *window;
	const struct flame_part *part;
	FILE *out;
	struct thread_part *threads;
	uint32_t *nodes[2]; /* by kind and node: that in the bytes; NO_FRAME: not needed */
};

static void part_add(struct thread_part *p, uint32_t key, int64_t time)
{
	*vector_add(&p->moments) = (struct stored_moment){key, time};
	p->numbers[key] = 1;
}

static void part_moment(void *context, uint32_t key, int64_t from, int64_t to)
{
	struct thread_part *p = context;

	if (!p->moments.n)
		p->from = from;
	else if (from > p->to)
		part_add(p, p->nkeys, from - p->to);
	part_add(p, key, to - from);
	p->to = to;
}

static void parts_find(struct storing *s)
{
	const struct time_window *l = s->window;

	for (unsigned i = 0; i < l->trace->nthreads; i++) {
		struct thread_part *p = &s->threads[i];
		uint32_t n = 0;

		p->nkeys = (uint32_t)l->threads[i].keys.n;
		p->numbers = array_zero(p->nkeys + 1, sizeof *p->numbers);
		if (!s->part)
			time_window_moments(&l->threads[i], INT64_MIN, INT64_MAX, part_moment, p);
		else if (!s->part->threads || s->part->threads[i])
			time_window_moments(&l->threads[i], s->part->from, s->part->to, part_moment,
					    p);
		for (uint32_t k = 0; k <= p->nkeys; k++)
			p->numbers[k] = p->numbers[k] ? ++n : 0;
	}
}

static void nodes_mark(struct storing *s, unsigned thread)
{
	const struct thread_part *p = &s->threads[thread];

	for (uint32_t k = 0; k < p->nkeys; k++) {
		const struct time_window_key *key = &s->window->threads[thread].keys.at[k];

		if (!p->numbers[k])
			continue;
		for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++)
			if (key->frames[kind] != NO_FRAME)
				s->nodes[kind][key->frames[kind]] = 0;
		if (key->on_stack != NO_FRAME)
			s->nodes[FLAME_CPU][key->on_stack] = 0;
	}
}

/* Numbers the nodes that are needed, with those below them; parents come first. */
static void nodes_number(struct storing *s, enum flame_kind kind)
{
	const struct flame *f = &s->window->flames[kind];
	uint32_t n = 0, *nodes = s->nodes[kind];

	nodes[0] = 0;
	for (size_t i = f->nodes.n; i-- > 1;)
		if (nodes[i] != NO_FRAME)
			nodes[f->nodes.at[i].parent] = 0;
	for (size_t i = 0; i < f->nodes.n; i++)
		nodes[i] = nodes[i] != NO_FRAME || !s->part ? n++ : NO_FRAME;
}

static void nodes_find(struct storing *s)
{
	for (int kind = FLAME_CPU; kind <= FLAME_OFF; kind++) {
		size_t n = s->window->flames[kind].nodes.n;

		s->nodes[kind] = array_new(n, sizeof **s->nodes);
		for (size_t i = 0; i < n; i++)
			s->nodes[kind][i] = NO_FRAME;
	}
	for (unsigned i = 0; i < s->window->trace->nthreads; i++)
		nodes_mark(s, i);
	nodes_number(s, FLAME_CPU);
	nodes_number(s, FLAME_OFF);
}

/* ---- writing: graphs ---- */

/* Writes the number of a text from 1, and the text itself if it is a new one; 0 is none. */
static void text_store(struct hash_table *texts, const char *text, FILE *out)
{
	struct hash_slot *slot;
	bool known;

	if (!text) {
		varint_put(out, 0);
		return;
	}
	slot = hash_table_slot(texts, hash_mix((uintptr_t)text), (uintptr_t)text);
	known = slot->head != HASH_NOTHING;
	if (!known)
		slot->head = (uint32_t)texts->nkeys;
	varint_put(out, slot->head);
	if (!known)
		varint_put_text(out, text);
}

static void flame_store(const struct storing *s, enum flame_kind kind, struct hash_table *texts)
{
	const struct flame *f = &s->window->flames[kind];
	const uint32_t *nodes = s->nodes[kind];
	uint32_t n = 0;

	for (size_t i = 0; i < f->nodes.n; i++)
		n += nodes[i] != NO_FRAME;
	varint_put(s->out, n);
	for (size_t i = 0; i < f->nodes.n; i++) {
		if (nodes[i] == NO_FRAME)
			continue;
		varint_put(s->out, nodes[i] - nodes[f->nodes.at[i].parent]);
		varint_put(s->out, f->nodes.at[i].kind);
		text_store(texts, f->nodes.at[i].name, s->out);
		text_store(texts, f->nodes.at[i].origin, s->out);
	}
}

/* ---- writing: threads ---- */

static void frame_store(const uint32_t *nodes, uint32_t frame, FILE *out)
{
	varint_put(out, frame == NO_FRAME ? 0 : nodes[frame] + UINT64_C(1));
}

static void keys_store(const struct storing *s, unsigned thread)
{
	const struct thread_part *p = &s->threads[thread];
	static const struct time_window_key none = {.frames = {NO_FRAME, NO_FRAME},
						    .on_stack = NO_FRAME};
	uint32_t n = 0;

	for (uint32_t k = 0; k <= p->nkeys; k++)
		n += p->numbers[k] != 0;
	varint_put(s->out, n);
	for (uint32_t k = 0; k <= p->nkeys; k++) {
		const struct time_window_key *key =
		    k < p->nkeys ? &s->window->threads[thread].keys.at[k] : &none;

		if (!p->numbers[k])
			continue;
		frame_store(s->nodes[FLAME_CPU], key->frames[FLAME_CPU], s->out);
		frame_store(s->nodes[FLAME_OFF], key->frames[FLAME_OFF], s->out);
		frame_store(s->nodes[FLAME_CPU], key->on_stack, s->out);
	}
}

static void thread_store(const struct storing *s, unsigned thread)
{
	const struct thread_part *p = &s->threads[thread];

	varint_put(s->out, s->window->threads[thread].sampled);
	keys_store(s, thread);
	varint_put(s->out, p->moments.n);
	varint_put_signed(s->out, p->from);
	for (size_t i = 0; i < p->moments.n; i++)
		varint_put(s->out, p->numbers[p->moments.at[i].key] - 1);
	for (size_t i = 0; i < p->moments.n; i++)
		varint_put(s->out, (uint64_t)p->moments.at[i].time);
}

void time_window_write(const struct time_window *l, const struct flame_part *part, FILE *out)
{
	unsigned n = l->trace->nthreads;
	struct storing s = {l, part, out, array_zero(n, sizeof *s.threads), {NULL, NULL}};
	struct hash_table texts = {0};

	parts_find(&s);
	nodes_find(&s);
	flame_store(&s, FLAME_CPU, &texts);
	flame_store(&s, FLAME_OFF, &texts);
	hash_table_free(&texts);
	for (unsigned i = 0; i < n; i++) {
		thread_store(&s, i);
		free(s.threads[i].moments.at);
		free(s.threads[i].numbers);
	}
	free(s.threads);
	free(s.nodes[FLAME_CPU]);
	free(s.nodes[FLAME_OFF]);
}

/* ---- reading ---- */

struct stored_bytes {
	const unsigned char *at, *end;
	bool damaged; /* something is missing or wrong; zeros were read for it */
};

static uint64_t stored_number(struct stored_bytes *b)
{
	uint64_t n;

	if (varint_read(&b->at, b->end, &n))
		return n;
	b->damaged = true;
	return 0;
}

/* Reads a number of things, each of which has a byte or more. */
static size_t stored_count(struct stored_bytes *b)
{
	uint64_t n = stored_number(b);

	if (n <= (uint64_t)(b->end - b->at))
		return (size_t)n;
	b->damaged = true;
	return 0;
}

/* Reads a number below n; anything else is damage. */
static uint32_t stored_below(struct stored_bytes *b, uint64_t n)
{
	uint64_t number = stored_number(b);

	if (number < n)
		return (uint32_t)number;
	b->damaged = true;
	return 0;
}

static const char *stored_text(struct stored_bytes *b, struct time_window *l)
{
	uint32_t number = stored_below(b, l->ntexts + UINT64_C(2));
	size_t length;
	char *text;

	if (!number)
		return NULL;
	if (number <= l->ntexts)
		return l->texts[number - 1];
	length = stored_count(b);
	text = array_zero(length + 1, 1);
	memcpy(text, b->at, length);
	b->at += length;
	l->texts = array_resize(l->texts, l->ntexts + 1, sizeof *l->texts);
	return l->texts[l->ntexts++] = text;
}

static void flame_read(struct stored_bytes *b, struct time_window *l, enum flame_kind kind)
{
	struct flame *f = &l->flames[kind];
	size_t n = stored_count(b);

	f->kind = kind;
	f->trace = l->trace;
	for (size_t i = 0; i < n && !b->damaged; i++) {
		uint32_t above = stored_below(b, i + 1);
		enum frame_kind what = (enum frame_kind)stored_below(b, FRAME_UNKNOWN + 1);
		const char *name = stored_text(b, l), *origin = stored_text(b, l);

		b->damaged |= !name || (i && !above);
		*vector_add(&f->nodes) = (struct flame_node){
		    .name = name, .origin = origin, .parent = (uint32_t)(i - above), .kind = what};
	}
	b->damaged |= !f->nodes.n;
}

static uint32_t frame_read(struct stored_bytes *b, const struct flame *f)
{
	uint32_t number = stored_below(b, f->nodes.n + UINT64_C(1));

	return number ? number - 1 : NO_FRAME;
}

static void keys_read(struct stored_bytes *b, const struct time_window *l,
		      struct time_window_thread *t)
{
	size_t n = stored_count(b);

	for (size_t i = 0; i < n; i++) {
		struct time_window_key *key = vector_add(&t->keys);

		key->frames[FLAME_CPU] = frame_read(b, &l->flames[FLAME_CPU]);
		key->frames[FLAME_OFF] = frame_read(b, &l->flames[FLAME_OFF]);
		key->on_stack = frame_read(b, &l->flames[FLAME_CPU]);
		vector_add(&t->times);
	}
}

static void thread_read(struct stored_bytes *b, const struct time_window *l,
			struct time_window_thread *t)
{
	size_t n;
	uint32_t *keys;

	t->sampled = stored_number(b);
	keys_read(b, l, t);
	n = stored_count(b);
	t->from = t->to = (int64_t)zigzag_decode(stored_number(b));
	keys = array_new(n + 1, sizeof *keys);
	for (size_t i = 0; i < n; i++)
		keys[i] = stored_below(b, t->keys.n);
	for (size_t i = 0; i < n && !b->damaged; i++) {
		t->key = keys[i];
		t->from = t->to;
		t->to = (int64_t)((uint64_t)t->to + stored_number(b));
		if (i + 1 < n)
			time_window_moment_add(t);
	}
	free(keys);
	if (b->damaged)
		t->from = t->to;
	time_window_thread_end(t);
}

struct time_window *time_window_read(struct trace *t, const unsigned char **at,
				     const unsigned char *end)
{
	struct time_window *l = array_zero(1, sizeof *l);
	struct stored_bytes b = {*at, end, false};

	l->trace = t;
	l->threads = array_zero(t->nthreads, sizeof *l->threads);
	flame_read(&b, l, FLAME_CPU);
	flame_read(&b, l, FLAME_OFF);
	for (unsigned i = 0; i < t->nthreads; i++)
		thread_read(&b, l, &l->threads[i]);
	*at = b.at;
	if (!b.damaged) {
		time_window_totals(l);
		return l;
	}
	time_window_free(l);
	return NULL;
}
