#include "spec/layout.h"
#include "spec/resolver.h"
#include "spec/types.h"

#include <string.h>

/* A record, its strings left aside, must fit into the smallest tail with room to spare. */
enum { MOST_FIXED_BYTES = 32 * 1024 };

static void attribute_check(struct resolver *r, const struct event_type *e, unsigned index)
{
	const struct attribute *a = &e->attributes[index];
	if (is_intrinsic(a->name))
		diag_error(r->diag, a->where, "every event has its own '%s'; choose another name",
			   a->name);
	for (unsigned i = 0; i < index; i++) {
		if (strcmp(e->attributes[i].name, a->name) != 0)
			continue;
		diag_error(r->diag, a->where, "%s has an attribute '%s' already", e->name, a->name);
		diag_note(r->diag, e->attributes[i].where, "it was given here");
		return;
	}
}

static void members_resolve(struct resolver *r, struct event_type *e, const struct ast_member *list)
{
	unsigned n = 0;
	for (const struct ast_member *m = list; m; m = m->next)
		n++;
	e->attributes = arena_alloc(r->spec->arena, n * sizeof *e->attributes);
	for (const struct ast_member *m = list; m; m = m->next) {
		struct attribute *a = &e->attributes[e->nattributes];
		a->name = arena_copy(r->spec->arena, m->name.text, strlen(m->name.text));
		a->where = m->name.where;
		a->type = TYPE_INT;
		if (m->type.text)
			type_find(m->type.text, &a->type);
		attribute_check(r, e, e->nattributes++);
	}
}

void events_resolve(struct resolver *r)
{
	for (unsigned i = 0; i < r->spec->nevents; i++) {
		struct event_type *e = r->spec->events[i];
		const struct ast_event *event = &r->event_items[i]->event;
		members_resolve(r, e, event->members);
		members_lint(r, event);
		event_layout(e);
		if (e->fixed_size > MOST_FIXED_BYTES)
			diag_error(r->diag, e->where,
				   "a record of %s has %u bytes; %d is the limit", e->name,
				   e->fixed_size, MOST_FIXED_BYTES);
		event_look(r, e, event->look);
	}
	r->spec->schema = schema_hash(r->spec);
}
