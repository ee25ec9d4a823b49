#include "analysis/flame/flame_frames.h"
#include "analysis/heap/heap.h"
#include "trace/symbols/call_paths.h"
#include <stdlib.h>

static int64_t site_amount(const struct heap_site *s, enum flame_kind kind)
{
	switch (kind) {
	case FLAME_COUNT:
		return (int64_t)s->taken.n;
	case FLAME_PEAK:
		return (int64_t)s->peak.bytes;
	case FLAME_LEFT:
		return (int64_t)s->alive.bytes;
	default:
		return (int64_t)s->taken.bytes;
	}
}

/* Takes "function (file.c:41)", and frees it. */
static uint32_t frame_add(struct flame *f, uint32_t parent, char *name)
{
	char *open = strrchr(name, '('), *colon = strrchr(name, ':');
	char *file =
	    open && colon > open ? text_format("%.*s", (int)(colon - open - 1), open + 1) : NULL;
	uint32_t node = flame_child(f, parent, FRAME_CODE, name, file);

	free(file);
	free(name);
	return node;
}

uint32_t flame_site(struct flame *f, const struct heap *h, const struct call_paths *paths,
		    const struct heap_site *s)
{
	struct frame at = {.parent = s->stack};
	VECTOR(char *) names = {0};
	uint32_t node = 0;

	if (h->by == SITE_CODE)
		*vector_add(&names) = code_name(
		    h->trace, s->process, s->stack,
		    h->role->start.event->attributes[h->site_attribute].type == TYPE_CODE32,
		    s->time);
	while (h->by == SITE_STACK && names.n < CALL_PATH_MOST &&
	       call_path_frame(paths, s->process, at.parent, &at))
		*vector_add(&names) = code_name(h->trace, s->process, at.address, at.low, at.time);
	if (!names.n)
		*vector_add(&names) =
		    text_format("%s", h->by == SITE_ONE ? h->role->interval->name : "(unknown)");
	while (names.n)
		node = frame_add(f, node, names.at[--names.n]);
	free(names.at);
	return node;
}

static bool role_add(struct flame *f, struct trace *t, const struct role *role,
		     const struct flame_part *part, const struct call_paths *paths)
{
	struct heap_part wanted = {part->from, part->to, part->threads, true, NULL};
	struct heap *h = heap_of_part(t, role, &wanted);
	bool sized = h->size.expression;

	for (size_t i = 0; i < h->nsites && sized; i++) {
		int64_t amount = site_amount(&h->sites[i], f->kind);

		if (amount)
			f->nodes.at[flame_site(f, h, paths, &h->sites[i])].self += amount;
	}
	heap_free(h);
	return sized;
}

bool flame_of_heap(struct flame *f, struct trace *t, const struct flame_part *part)
{
	unsigned n;
	struct role *roles = roles_of_kind(t->spec, KIND_LIFE, &n);
	struct call_paths *paths = call_paths_make(t);
	bool found = false;

	for (unsigned i = 0; i < n; i++)
		if (!role_is_threads_life(&roles[i]))
			found = role_add(f, t, &roles[i], part, paths) || found;
	call_paths_free(paths);
	free(roles);
	return found;
}
