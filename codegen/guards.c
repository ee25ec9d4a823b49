#include "codegen/guards.h"
#include "base/array.h"
#include "codegen/c.h"
#include "codegen/emit.h"
#include "codegen/reserved.h"
#include <stdlib.h>
#include <string.h>

struct interval_guard {
	const struct interval *interval;
	const struct event_type *begin, *end;
};

/* Returns whether two operands are the same of both events. */
static bool are_alike(const struct expr *a, const struct expr *b)
{
	if (a->op != b->op || a->side == b->side)
		return false;
	if (a->op == EXPR_ATTRIBUTE)
		return !strcmp(a->event->attributes[a->attribute].name,
			       b->event->attributes[b->attribute].name);
	return a->op == EXPR_THREAD || a->op == EXPR_OWNER || a->op == EXPR_PROCESS;
}

/* Returns whether a condition holds of all events that are equal: it is a list of equalities. */
static bool is_equality(const struct expr *e)
{
	if (e->op == EXPR_AND)
		return is_equality(e->left) && is_equality(e->right);
	return e->op == EXPR_EQ && are_alike(e->left, e->right);
}

static bool has_attributes(const struct event_type *e, const struct event_type *of)
{
	for (unsigned i = 0; i < of->nattributes; i++) {
		int own = event_attribute(e, of->attributes[i].name);

		if (own < 0 || e->attributes[own].type != of->attributes[i].type)
			return false;
	}
	return true;
}

/*
 * Sets *g to the guard of an interval; returns false if it has none. A line leads from thread to
 * thread, unless the condition says that both are one.
 */
static bool guard_of(const struct interval *i, struct interval_guard *g)
{
	enum side first = interval_side(i, MOMENT_START);

	if (!i->anchor.event || !i->partner.event || !is_equality(i->condition))
		return false;
	if (i->connection == CONNECTION_LINE && !expr_has(i->condition, EXPR_THREAD))
		return false;
	g->interval = i;
	g->begin = first == SIDE_ANCHOR ? i->anchor.event : i->partner.event;
	g->end = first == SIDE_ANCHOR ? i->partner.event : i->anchor.event;
	return g->begin != g->end && has_attributes(g->begin, g->end) &&
	       !name_reserved(LANGUAGE_CPP, i->name);
}

/* Returns the name of the member that keeps an attribute for the end. */
static char *kept_name(const struct interval_guard *g, const struct attribute *a)
{
	char *base = text_format("kept_%s", a->name), *name = local_name(g->begin, base, "");

	free(base);
	return name;
}

static void emit_constructor(FILE *out, const struct interval_guard *g)
{
	const struct event_type *begin = g->begin, *end = g->end;
	struct wrap line = {out, 8, "\n\t\t"};

	fputs("\t", out);
	wrap_item(&line, "GLIMPSE_NODISCARD GLIMPSE_MEMBER explicit %s_Scope(", g->interval->name);
	for (unsigned i = 0; i < begin->nattributes; i++)
		wrap_item(&line, "%s%s%s%s", i ? " " : "", c_parameter(begin->attributes[i].type),
			  begin->attributes[i].name, i + 1 < begin->nattributes ? "," : "");
	wrap_item(&line, ") noexcept%s", end->nattributes ? " :" : "");
	for (unsigned i = 0; i < end->nattributes; i++) {
		char *kept = kept_name(g, &end->attributes[i]);

		wrap_item(&line, " %s(%s)%s", kept, end->attributes[i].name,
			  i + 1 < end->nattributes ? "," : "");
		free(kept);
	}
	fputs("\n\t{\n\t\t", out);
	line = (struct wrap){out, 16, "\n\t\t\t"};
	wrap_item(&line, "%s_Stamp(", begin->name);
	for (unsigned i = 0; i < begin->nattributes; i++)
		wrap_item(&line, "%s%s%s", i ? " " : "", begin->attributes[i].name,
			  i + 1 < begin->nattributes ? "," : "");
	fputs(");\n\t}\n", out);
}

static void emit_destructor(FILE *out, const struct interval_guard *g)
{
	const struct event_type *end = g->end;
	struct wrap line = {out, 16, "\n\t\t\t"};

	fprintf(out, "\tGLIMPSE_MEMBER ~%s_Scope()\n\t{\n\t\t", g->interval->name);
	wrap_item(&line, "%s_Stamp(", end->name);
	for (unsigned i = 0; i < end->nattributes; i++) {
		char *kept = kept_name(g, &end->attributes[i]);

		wrap_item(&line, "%s%s%s", i ? " " : "", kept, i + 1 < end->nattributes ? "," : "");
		free(kept);
	}
	fputs(");\n\t}\n", out);
}

static void emit_members(FILE *out, const struct interval_guard *g)
{
	if (g->end->nattributes)
		fputs("\nprivate:\n", out);
	for (unsigned i = 0; i < g->end->nattributes; i++) {
		const struct attribute *a = &g->end->attributes[i];
		char *kept = kept_name(g, a);

		fprintf(out, "\t%s%s;\n", c_parameter(a->type), kept);
		free(kept);
	}
}

static void guard_emit(FILE *out, const struct interval_guard *g)
{
	const char *name = g->interval->name;

	fprintf(out,
		"\n"
		"/* Logs %s here, and %s where its block is left, also by an exception. */\n"
		"class %s_Scope {\n"
		"public:\n",
		g->begin->name, g->end->name, name);
	emit_constructor(out, g);
	emit_destructor(out, g);
	fprintf(out,
		"\t%s_Scope(const %s_Scope &) = delete;\n"
		"\t%s_Scope &operator=(const %s_Scope &) = delete;\n",
		name, name, name, name);
	emit_members(out, g);
	fputs("};\n", out);
}

void guards_emit(FILE *out, const struct spec *s)
{
	struct interval_guard g;
	bool any = false;

	for (unsigned i = 0; i < s->nintervals; i++) {
		if (!guard_of(s->intervals[i], &g))
			continue;
		if (!any)
			fputs("\n#ifdef __cplusplus\n", out);
		any = true;
		guard_emit(out, &g);
	}
	if (any)
		fputs("\n#endif /* __cplusplus */\n", out);
}
