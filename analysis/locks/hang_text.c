#include "analysis/locks/hang_text.h"
#include "base/units.h"
#include "trace/plain_name.h"
#include <stdlib.h>
#include <string.h>

const char *lock_name_text(char text[LOCK_TEXT], const struct locks *l, uint32_t lock)
{
	const struct lock *x = &l->names.locks.at[lock];

	if (!*x->kind || strcmp(x->kind, "lock") == 0 || strstr(x->name, x->kind))
		return x->label;
	snprintf(text, LOCK_TEXT, "%s (%s)", x->label, x->kind);
	return text;
}

const char *lock_place_text(char text[LOCK_TEXT], const struct locks *l, uint32_t site)
{
	const char *whole = lock_site_text(&l->names, site), *plus, *place;
	char *name;

	if (!*whole)
		return "unknown";
	name = plain_name_short(whole);
	plus = strchr(name, '+');
	place = plus ? strchr(plus, ' ') : NULL;
	snprintf(text, LOCK_TEXT, "%.*s%s", (int)(place ? plus - name : LOCK_TEXT), name,
		 place ? place : "");
	free(name);
	return text;
}

static const char *label_of(const struct locks *l, uint32_t thread)
{
	return l->trace->threads[thread].label;
}

char *waiter_wait_text(const struct locks *l, const struct lock_waiter *w)
{
	char lock[LOCK_TEXT], place[LOCK_TEXT], since[UNITS_TEXT];
	bool site = w->wait.site != NO_SITE;

	return text_format("%s waits for %s%s%s%s, since %s", label_of(l, w->thread),
			   w->is_thread ? "the end of " : "",
			   w->is_thread ? label_of(l, w->holder)
					: lock_name_text(lock, l, w->wait.lock),
			   site ? " at " : "", site ? lock_place_text(place, l, w->wait.site) : "",
			   units_time(since, (double)w->wait.start));
}

char *stuck_thread_text(const struct trace *t, const struct locks *l, const struct stuck_thread *s)
{
	char since[UNITS_TEXT];

	for (size_t i = 0; l && i < l->hang.waiters.n; i++)
		if (l->hang.waiters.at[i].thread == s->thread)
			return waiter_wait_text(l, &l->hang.waiters.at[i]);
	return text_format("%s waits since %s%s%s", t->threads[s->thread].label,
			   units_time(since, (double)s->since), s->place ? ", last seen in " : "",
			   s->place ? s->place : "");
}

char *waiter_holder_text(const struct locks *l, const struct lock_waiter *w)
{
	char place[LOCK_TEXT];

	if (w->is_thread || w->holder == NO_WAITER)
		return NULL;
	return text_format("%s acquired it at %s%s", label_of(l, w->holder),
			   lock_place_text(place, l, w->holder_site),
			   w->holder_ended ? ", and ended without releasing it" : "");
}
