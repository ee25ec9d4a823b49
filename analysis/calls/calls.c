#include "analysis/calls/calls.h"
#include "analysis/calls/call_walk.h"
#include "base/parallel.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

struct calls_context {
	const struct call_sources *sources;
	const struct call_part *part;
	struct walked_thread *threads;
};

bool trace_has_calls(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (t->spec->intervals[i]->kind == KIND_CALL)
			return true;
	return trace_has_samples(t);
}

static void thread_make(void *context, size_t i, unsigned worker)
{
	struct calls_context *m = context;

	(void)worker;
	if (m->part->threads && !m->part->threads[i])
		call_tree_init(&m->threads[i].calls.tree, 1);
	else
		call_walk(&m->threads[i], m->sources, i, m->part);
}

/* ---- names ---- */

/* sampled: the line of a sample is one of many in the function. */
static struct call_function function_at(const struct trace *t, const struct event *e, unsigned code,
					enum sample_places places, bool sampled)
{
	struct call_function f = {0};
	char buffer[ADDRESS_TEXT];

	/* as a number's text, digits are kept, too */
	f.name = symbols_numbered(t, symbols_number(t, address_function(t, buffer, e, code)));
	if (!sampled || places != SAMPLE_FUNCTIONS)
		f.line = address_line(t, e, code);
	if (places == SAMPLE_LINES)
		f.name = f.line ? f.line : SAMPLE_NO_LINE;
	f.module = address_module(t, e, code);
	return f;
}

static struct call_function function_of(const struct call_sources *s, const struct call_address *a,
					enum sample_places places)
{
	const struct role *r = &s->roles[a->source];

	if (r->start.code[0] < 0)
		return (struct call_function){.name = r->interval->name};
	return function_at(s->trace, &a->event, (unsigned)r->start.code[0], places,
			   a->source >= s->nroles);
}

/* Functions of the same name and line are one: of several processes, or several kinds of events. */
static uint32_t function_number(struct calls *c, struct hash_table *known, struct call_function f)
{
	uint64_t name = (uint64_t)symbols_number(c->trace, f.name);
	uint64_t line = f.line ? (uint64_t)symbols_number(c->trace, f.line) + 1 : 0;
	struct hash_slot *slot = hash_table_slot(known, hash_mix(name), line);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->nfunctions;
		c->functions = array_grow(c->functions, c->nfunctions, sizeof f);
		c->functions[c->nfunctions++] = f;
	}
	return slot->head;
}

/* Gives different functions of one name different names: with their places. */
static void names_part(struct calls *c)
{
	struct hash_table names = {0};
	uint32_t *numbers = array_new(c->nfunctions, sizeof *numbers);

	for (size_t i = 0; i < c->nfunctions; i++) {
		int64_t name = symbols_number(c->trace, c->functions[i].name);
		struct hash_slot *slot = hash_table_slot(&names, hash_mix((uint64_t)name), 0);

		slot->head = slot->head == HASH_NOTHING ? 1 : slot->head + 1;
		numbers[i] = (uint32_t)name;
	}
	for (size_t i = 0; i < c->nfunctions; i++) {
		struct call_function *f = &c->functions[i];

		if (hash_table_slot(&names, hash_mix(numbers[i]), 0)->head > 1 && f->line) {
			char *text = text_format("%s (%s)", f->name, f->line);

			f->name = symbols_numbered(c->trace, symbols_number(c->trace, text));
			free(text);
		}
	}
	free(numbers);
	hash_table_free(&names);
}

static void nodes_name(struct walked_thread *w, const uint32_t *numbers)
{
	struct call_tree *t = &w->calls.tree;

	for (size_t i = 0; i < t->n; i++) {
		struct call_node *n = &t->nodes[i];

		if (n->function != NO_FUNCTION)
			n->function = numbers[n->function];
		if (n->caller != NO_FUNCTION)
			n->caller = numbers[n->caller];
	}
}

static void functions_name(struct calls *c, const struct calls_context *m)
{
	struct hash_table known = {0};

	for (unsigned i = 0; i < c->trace->nthreads; i++) {
		struct walked_thread *w = &m->threads[i];
		uint32_t *numbers = array_new(w->addresses.n, sizeof *numbers);

		for (size_t k = 0; k < w->addresses.n; k++)
			numbers[k] = function_number(
			    c, &known,
			    function_of(m->sources, &w->addresses.at[k], m->part->places));
		nodes_name(w, numbers);
		free(numbers);
	}
	hash_table_free(&known);
	if (m->part->places == SAMPLE_FUNCTIONS)
		names_part(c);
}

/* ---- all ---- */

struct calls *calls_of(struct trace *t, const struct call_part *part)
{
	struct calls *c = array_zero(1, sizeof *c);
	struct call_sources sources;
	struct calls_context m = {&sources, part, array_zero(t->nthreads, sizeof *m.threads)};

	c->trace = t;
	call_sources_open(&sources, t, part->places);
	parallel_for(t->nthreads, thread_make, &m);
	functions_name(c, &m);
	c->threads = array_new(t->nthreads, sizeof *c->threads);
	for (unsigned i = 0; i < t->nthreads; i++) {
		c->threads[i] = m.threads[i].calls;
		hash_table_free(&c->threads[i].tree.children);
		c->threads[i].tree.children = (struct hash_table){0};
		free(m.threads[i].addresses.at);
	}
	free(m.threads);
	call_sources_close(&sources);
	return c;
}

/* ---- counts instead of times ---- */

enum { COUNTED_NODES = 1 << 20 };

struct counting {
	struct calls *calls;
	const struct samples *samples;
	struct hash_table known; /* functions */
	uint32_t *functions;     /* by stack; NO_FUNCTION: not looked up yet */
};

static uint32_t counted_function(struct counting *x, uint32_t stack)
{
	const struct event *frame = &x->samples->stacks.at[stack].frame;

	if (x->functions[stack] == NO_FUNCTION)
		x->functions[stack] =
		    function_number(x->calls, &x->known,
				    function_at(x->calls->trace, frame, frame_code(frame->type),
						x->samples->places, true));
	return x->functions[stack];
}

/* Returns the node of a stack's innermost function, whose callers' nodes are made, too. */
static uint32_t counted_node(struct counting *x, struct call_tree *t, uint32_t stack)
{
	VECTOR(uint32_t) way = {0};
	uint32_t node = CALL_ROOT;

	for (; stack > STACK_CUT; stack = x->samples->stacks.at[stack].caller)
		*vector_add(&way) = stack;
	for (size_t i = way.n; i--;) {
		node = call_tree_child(t, node, counted_function(x, way.at[i]));
		t->nodes[node].sampled = true;
		t->nodes[node].calls = 1;
		t->nodes[node].cut |= i + 1 == way.n && stack == STACK_CUT;
	}
	free(way.at);
	return node;
}

static bool is_recursive(const struct call_tree *t, size_t node)
{
	uint32_t above = t->nodes[node].parent;

	while (above != CALL_ROOT && t->nodes[above].function != t->nodes[node].function)
		above = t->nodes[above].parent;
	return above != CALL_ROOT;
}

/* A node has what all those below it have; parents precede their children. */
static void counts_sum(struct call_tree *t)
{
	for (size_t i = t->n; i-- > 1;) {
		struct call_node *n = &t->nodes[i];

		n->real.total += n->own.total;
		t->nodes[n->parent].real.total += n->real.total;
		n->outermost = is_recursive(t, i) ? 0 : n->real.total;
	}
}

struct calls *calls_counted(struct trace *t, const struct event_type *type,
			    const struct call_part *part)
{
	struct samples *samples = samples_counted(t, part->places, type);
	struct counting x = {array_zero(1, sizeof *x.calls), samples, {0}, NULL};

	x.calls->trace = t;
	x.calls->threads = array_zero(t->nthreads, sizeof *x.calls->threads);
	x.functions = array_new(samples->stacks.n, sizeof *x.functions);
	for (size_t i = 0; i < samples->stacks.n; i++)
		x.functions[i] = NO_FUNCTION;
	for (unsigned i = 0; i < t->nthreads; i++)
		call_tree_init(&x.calls->threads[i].tree, COUNTED_NODES);
	for (size_t i = 0; i < samples->counts.n; i++) {
		const struct stack_count *c = &samples->counts.at[i];
		struct thread_calls *of = &x.calls->threads[c->thread];
		struct call_node *n;
		uint32_t node;

		if (c->time < part->from || c->time > part->to ||
		    (part->threads && !part->threads[c->thread]))
			continue;
		node = counted_node(&x, &of->tree, c->stack);
		n = &of->tree.nodes[node];
		of->sampled = true;
		n->samples++;
		n->own.total += c->occurrences;
		n->cpu.total += c->occurrences;
	}
	for (unsigned i = 0; i < t->nthreads; i++)
		counts_sum(&x.calls->threads[i].tree);
	hash_table_free(&x.known);
	free(x.functions);
	samples_free(samples);
	return x.calls;
}

/* perf adds to a name what it counts of: "page-faults" is "page-faults:u", too. */
static bool is_called(const struct event_type *e, const char *name)
{
	const char *label = style_label(&e->style, e->name);
	size_t n = strcspn(label, ":");

	return strcmp(e->name, name) == 0 || strcmp(label, name) == 0 ||
	       (strlen(name) == n && memcmp(label, name, n) == 0);
}

const struct event_type *calls_counts_find(const struct trace *t, const char *name)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];

		if (event_counts_stacks(e) && t->events_of_type[i] && (!name || is_called(e, name)))
			return e;
	}
	return NULL;
}

void calls_free(struct calls *c)
{
	for (unsigned i = 0; i < c->trace->nthreads; i++)
		call_tree_free(&c->threads[i].tree);
	for (unsigned i = 0; i < c->trace->nthreads; i++)
		free(c->threads[i].paused);
	free(c->threads);
	free(c->functions);
	free(c);
}

void calls_merge(const struct calls *c, struct call_tree *merged)
{
	size_t limit = 65536;

	for (unsigned i = 0; i < c->trace->nthreads; i++)
		limit += c->threads[i].tree.n;
	call_tree_init(merged, limit);
	for (unsigned i = 0; i < c->trace->nthreads; i++)
		call_tree_merge(merged, &c->threads[i].tree);
}
