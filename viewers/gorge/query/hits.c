#include "viewers/gorge/query/hits.h"
#include "analysis/activity/roles.h"
#include "trace/address.h"
#include "viewers/gorge/index/event_walk.h"
#include "viewers/gorge/query/lookup.h"

/*
 * Returns the attribute of an interval's anchors that is its object; -1: it has none, or is NULL.
 */
static int hits_object(const struct interval *interval)
{
	struct role role;

	if (!interval || interval->anchor.interval || interval->partner.interval)
		return -1;
	role = role_of(interval);
	return (interval->direction == FORWARDS ? role.start : role.end).object;
}

static void write_object(const struct trace_index *m, event_id anchor, int object, struct json *j)
{
	char text[ADDRESS_TEXT];
	struct event e;

	if (object >= 0 && event_index_event(m->events, anchor, &e))
		json_string(j, NULL, address_text(m->trace, text, &e, (unsigned)object));
	else
		json_null(j, NULL);
}

void hits_write(const struct results *r, const struct trace_index *m,
		const struct interval *interval, struct json *j)
{
	int object = hits_object(interval);

	json_array(j, "hits");
	for (size_t i = 0; i < r->list.n; i++) {
		const struct result *hit = &r->list.at[i];

		json_array(j, NULL);
		json_uint(j, NULL, lookup_id(m, hit->anchor));
		json_int(j, NULL, hit->start);
		json_int(j, NULL, hit->end);
		json_string(j, NULL, m->trace->threads[event_id_thread(hit->anchor)].label);
		write_object(m, hit->anchor, object, j);
		json_close(j);
	}
	json_close(j);
	json_uint(j, "count", r->count);
}
