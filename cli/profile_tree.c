#include "base/units.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/profile.h"
#include <stdlib.h>

/* The tree of all calls, with the nodes of each parent together. */
struct shown_tree {
	const struct profile *p;
	struct call_tree tree;
	uint32_t *first, *next;   /* by node: its first child, the next one of its parent */
	struct call_times *below; /* by node: cpu of it and all below it; total only */
	struct columns columns;
	size_t rows, hidden;
};

/* Greatest time first. In an inverted tree a node has the time of all that is below it. */
static void children_order(struct shown_tree *s)
{
	bool inverted = s->p->inverted;

	for (size_t i = 0; i < s->tree.n; i++) {
		s->first[i] = s->next[i] = NO_NODE;
		s->below[i].total = s->tree.nodes[i].cpu.total;
	}
	for (size_t i = s->tree.n; i-- > 1;)
		if (!inverted || s->tree.nodes[i].parent == CALL_ROOT)
			s->below[s->tree.nodes[i].parent].total += s->below[i].total;
	for (size_t i = s->tree.n; i-- > 1;) {
		uint32_t *at = &s->first[s->tree.nodes[i].parent];

		while (*at != NO_NODE && s->below[*at].total > s->below[i].total)
			at = &s->next[*at];
		s->next[i] = *at;
		*at = (uint32_t)i;
	}
}

/* ---- text ---- */

enum { DEPTH_MOST = 40, INVERTED_MOST = 65536 };

/*
 * Goes to the last of a row of nodes, each the only child of the one before and of the same
 * function; how many there are.
 */
static uint32_t recursion_skip(const struct shown_tree *s, uint32_t node, unsigned *deep)
{
	const struct call_node *nodes = s->tree.nodes;
	uint32_t child = s->first[node];

	for (*deep = 0; child != NO_NODE && s->next[child] == NO_NODE &&
			nodes[child].function == nodes[node].function;
	     child = s->first[child]) {
		++*deep;
		node = child;
	}
	return node;
}

static void node_text(struct shown_tree *s, uint32_t node, const struct call_node *sum,
		      unsigned depth, unsigned deep)
{
	char share[UNITS_TEXT], below[UNITS_TEXT], cpu[UNITS_TEXT], real[UNITS_TEXT],
	    calls[UNITS_TEXT], levels[UNITS_TEXT + 24] = "", count[UNITS_TEXT];
	int64_t all = s->below[CALL_ROOT].total - s->tree.nodes[CALL_ROOT].cpu.total;
	char *name = sum->function == NO_FUNCTION ? text_format("(other call paths)")
						  : profile_name(s->p, sum->function);
	char *text;

	if (deep)
		snprintf(levels, sizeof levels, "  (recursive, depth %s)",
			 units_count(count, deep));
	text = text_format("%*s%s%s%s", (int)(2 * depth), "",
			   sum->cut && !s->p->inverted ? "(truncated) " : "", name, levels);
	snprintf(share, sizeof share, all ? "%.1f" : "-",
		 100 * (double)s->below[node].total / (double)all);
	profile_amount(below, s->p, s->below[node].total);
	profile_amount(cpu, s->p, sum->cpu.total);
	profile_amount(real, s->p, sum->outermost);
	if (sum->sampled)
		strcpy(calls, "-");
	else
		units_count(calls, sum->calls);
	if (sum->unfinished)
		strcat(calls, "*");
	if (s->p->counted)
		columns_add(&s->columns, s->p->inverted
					     ? (const char *[]){share, below, text}
					     : (const char *[]){share, below, cpu, text});
	else if (s->p->inverted)
		columns_add(&s->columns, (const char *[]){share, below, calls, text});
	else
		columns_add(&s->columns, (const char *[]){share, below, cpu, real, calls, text});
	free(text);
	free(name);
	s->rows++;
}

/* Shows a node with the recursion below it; returns the node whose children are next. */
static uint32_t node_show(struct shown_tree *s, uint32_t node, unsigned depth)
{
	struct call_node sum = s->tree.nodes[node];
	unsigned deep = 0;
	/* a caller of the same name has a part of the time, none beside it */
	uint32_t last = s->p->inverted ? node : recursion_skip(s, node, &deep);

	for (uint32_t at = node; at != last;) {
		at = s->first[at];
		call_node_merge(&sum, &s->tree.nodes[at]);
	}
	node_text(s, node, &sum, depth, deep);
	return last;
}

static void tree_text(struct shown_tree *s, uint32_t parent, unsigned depth)
{
	for (uint32_t node = s->first[parent]; node != NO_NODE; node = s->next[node]) {
		if (s->rows >= s->p->top || depth >= DEPTH_MOST)
			s->hidden++;
		else
			tree_text(s, node_show(s, node, depth), depth + 1);
	}
}

static void tree_print_text(FILE *out, struct shown_tree *s)
{
	const char *cpu = profile_head(s->p);
	unsigned count = s->p->inverted ? 4 : 6;

	s->columns =
	    (struct columns){.count = s->p->counted ? count / 2 + 1 : count, .last_left = true};
	if (s->p->counted && s->p->inverted)
		columns_add(&s->columns, (const char *[]){"%", cpu, "function, and its callers"});
	else if (s->p->counted)
		columns_add(&s->columns, (const char *[]){"%", "all", cpu, "function"});
	else if (s->p->inverted)
		columns_add(&s->columns,
			    (const char *[]){"%", cpu, "calls", "function, and its callers"});
	else
		columns_add(&s->columns,
			    (const char *[]){"%", "all", cpu, "real", "calls", "function"});
	tree_text(s, CALL_ROOT, 0);
	columns_print(&s->columns, out);
	if (s->hidden)
		fprintf(out, "and %zu more branches: --top all\n", s->hidden);
}

/* ---- csv, json: a row for each node ---- */

enum { NODE, PARENT, FUNCTION, EVENT, COUNT, CALLS, REAL, CPU, OWN, UNFINISHED, SAMPLES, FIELDS };
static const struct field fields[FIELDS] = {
    [NODE] = {"node", 1},         [PARENT] = {"parent", 2},
    [FUNCTION] = {"function", 3}, [EVENT] = {"event", 4},
    [COUNT] = {"count", 5},       [CALLS] = {"calls", 6},
    [REAL] = {"real_total", 7},   [CPU] = {"cpu_total", 8},
    [OWN] = {"own_total", 9},     [UNFINISHED] = {"unfinished", 10},
    [SAMPLES] = {"samples", 11},
};

static void tree_print_data(FILE *out, enum format format, const struct shown_tree *s)
{
	const struct profile *p = s->p;
	bool inverted = p->inverted; /* from entry to exit is then no time of a path */
	struct field_rows rows = {.fields = fields,
				  .n = FIELDS,
				  .without = p->counted ? FIELDS_FROM(CALLS, UNFINISHED)
							: FIELDS_FROM(EVENT, COUNT)};

	fields_open(&rows, out, format);
	for (size_t i = 0; i < s->tree.n; i++) {
		const struct call_node *n = &s->tree.nodes[i];
		bool has_function = n->function != NO_FUNCTION;

		fields_row(
		    &rows,
		    (struct table_cell[FIELDS]){
			[NODE] = cell_uint(i),
			[PARENT] = cell_known(i != CALL_ROOT, n->parent),
			[FUNCTION] =
			    cell_text(has_function ? p->calls->functions[n->function].name : NULL),
			[EVENT] = cell_text(p->counted),
			[COUNT] = cell_int(n->cpu.total),
			[CALLS] = cell_known(!n->sampled, (int64_t)n->calls),
			[REAL] = cell_known(!inverted, n->real.total),
			[CPU] = cell_int(n->cpu.total),
			[OWN] = cell_int(n->own.total),
			[UNFINISHED] = cell_known(!n->sampled && !inverted, (int64_t)n->unfinished),
			[SAMPLES] = cell_known(n->sampled, (int64_t)n->samples),
		    });
	}
	fields_close(&rows);
}

static void tree_make(struct shown_tree *s)
{
	struct call_tree tree;

	calls_merge(s->p->calls, &tree);
	if (!s->p->inverted) {
		s->tree = tree;
		return;
	}
	call_tree_invert(&s->tree, &tree, INVERTED_MOST + 4 * tree.n);
	call_tree_free(&tree);
}

void profile_tree_print(FILE *out, enum format format, const struct profile *p)
{
	struct shown_tree s = {.p = p};

	tree_make(&s);
	s.first = array_new(s.tree.n, sizeof *s.first);
	s.next = array_new(s.tree.n, sizeof *s.next);
	s.below = array_zero(s.tree.n, sizeof *s.below);
	children_order(&s);
	if (format == FORMAT_TEXT)
		tree_print_text(out, &s);
	else
		tree_print_data(out, format, &s);
	call_tree_free(&s.tree);
	free(s.first);
	free(s.next);
	free(s.below);
}
