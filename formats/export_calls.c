#include "formats/export_calls.h"
#include "base/array.h"
#include "base/json.h"
#include "formats/export.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- paths ---- */

static const char ELSEWHERE[] = "(many paths)";

size_t path_of(const struct call_tree *t, uint32_t node, uint32_t path[PATH_MOST])
{
	size_t length = 0, skip;
	uint32_t at;

	for (at = node; at != CALL_ROOT; at = t->nodes[at].parent)
		length++;
	skip = length > PATH_MOST ? length - PATH_MOST : 0;
	for (at = node; skip > 0; skip--, length--)
		at = t->nodes[at].parent;
	for (size_t i = 0; i < length; i++, at = t->nodes[at].parent)
		path[i] = t->nodes[at].function;
	return length;
}

static const char *function_name(const struct calls *c, uint32_t function)
{
	return function == NO_FUNCTION ? ELSEWHERE : c->functions[function].name;
}

/* ---- folded ---- */

static void folded_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == ';' ? ':' : *name, out);
}

static void folded_write(FILE *out, const struct calls *c)
{
	uint32_t path[PATH_MOST];
	struct call_tree t;

	calls_merge(c, &t);
	for (uint32_t i = 1; i < t.n; i++) {
		size_t n = path_of(&t, i, path);

		if (!t.nodes[i].calls)
			continue;
		while (n-- > 0) {
			folded_name(out, function_name(c, path[n]));
			putc(n ? ';' : ' ', out);
		}
		fprintf(out, "%" PRId64 "\n", t.nodes[i].cpu.total);
	}
	call_tree_free(&t);
}

/* ---- speedscope ---- */

static void frames_write(struct json *j, const struct calls *c)
{
	json_object(j, "shared");
	json_array(j, "frames");
	for (size_t i = 0; i < c->nfunctions; i++) {
		const struct call_function *f = &c->functions[i];
		const char *colon = f->line ? strrchr(f->line, ':') : NULL;

		json_object(j, NULL);
		json_string(j, "name", f->name);
		if (colon) {
			json_bytes(j, "file", f->line, (size_t)(colon - f->line));
			json_int(j, "line", strtol(colon + 1, NULL, 10));
		}
		json_close(j);
	}
	json_object(j, NULL);
	json_string(j, "name", ELSEWHERE);
	json_close(j);
	json_close(j);
	json_close(j);
}

static void event_write(struct json *j, const char *type, uint32_t frame, int64_t at)
{
	json_object(j, NULL);
	json_string(j, "type", type);
	json_uint(j, "frame", frame);
	json_int(j, "at", at);
	json_close(j);
}

/* Goes through the tree: a node's own time comes before its children's. */
static void events_write(struct json *j, const struct calls *c, const struct call_tree *t)
{
	uint32_t *first = array_new(t->n, sizeof *first), *next = array_new(t->n, sizeof *next);
	uint32_t node = CALL_ROOT, elsewhere = (uint32_t)c->nfunctions;
	int64_t at = 0;

	call_tree_children(t, first, next);
	for (;;) {
		const struct call_node *n;

		if (first[node] != NO_NODE) {
			node = first[node];
		} else {
			while (node != CALL_ROOT && next[node] == NO_NODE) {
				n = &t->nodes[node];
				event_write(j, "C",
					    n->function == NO_FUNCTION ? elsewhere : n->function,
					    at);
				node = n->parent;
			}
			if (node == CALL_ROOT)
				break;
			n = &t->nodes[node];
			event_write(j, "C", n->function == NO_FUNCTION ? elsewhere : n->function,
				    at);
			node = next[node];
		}
		n = &t->nodes[node];
		event_write(j, "O", n->function == NO_FUNCTION ? elsewhere : n->function, at);
		at += n->cpu.total;
	}
	free(first);
	free(next);
}

static void thread_write(struct json *j, const struct calls *c, unsigned thread)
{
	const struct call_tree *t = &c->threads[thread].tree;
	int64_t total = 0;

	for (size_t i = 1; i < t->n; i++)
		total += t->nodes[i].cpu.total;
	json_object(j, NULL);
	json_string(j, "type", "evented");
	json_string(j, "name", c->trace->threads[thread].label);
	json_string(j, "unit", "nanoseconds");
	json_int(j, "startValue", 0);
	json_int(j, "endValue", total);
	json_array(j, "events");
	events_write(j, c, t);
	json_close(j);
	json_close(j);
}

static void speedscope_write(FILE *out, const struct calls *c)
{
	struct json j = json_begin(out, 4);

	json_object(&j, NULL);
	json_string(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_string(&j, "exporter", "glimpse");
	frames_write(&j, c);
	json_array(&j, "profiles");
	for (unsigned i = 0; i < c->trace->nthreads; i++)
		if (c->threads[i].tree.n > 1)
			thread_write(&j, c, i);
	json_close(&j);
	json_close(&j);
}

/* ---- the formats ---- */

static bool calls_write(FILE *out, const struct export_request *r,
			void (*write)(FILE *out, const struct calls *c))
{
	struct call_part part = CALL_PART_ALL;
	struct calls *c;

	part.threads = r->threads;
	c = calls_of(r->trace, &part);
	write(out, c);
	calls_free(c);
	return true;
}

static bool folded_of(FILE *out, const struct export_request *r)
{
	return calls_write(out, r, folded_write);
}

static bool speedscope_of(FILE *out, const struct export_request *r)
{
	return calls_write(out, r, speedscope_write);
}

const struct export_format export_folded = {
    .name = "folded",
    .summary = "CPU time of functions by their paths, for flamegraph.pl",
    .calls = true,
    .write = folded_of,
};

const struct export_format export_speedscope = {
    .name = "speedscope",
    .summary = "the same, a profile for each thread, for www.speedscope.app",
    .calls = true,
    .write = speedscope_of,
};
