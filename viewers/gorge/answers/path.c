#include "viewers/gorge/answers/path.h"
#include "viewers/gorge/query/path_pieces.h"

static const char *const kinds[] = {[PATH_STRETCH] = "stretch",
				    [PATH_HANDOVER] = "handover",
				    [PATH_START] = "start",
				    [PATH_NOBODY] = "nobody"};
static const char *const activities[NACTIVITIES] = {[ACTIVITY_RUNNING] = "running",
						    [ACTIVITY_READY] = "ready",
						    [ACTIVITY_WAITING] = "waiting",
						    [ACTIVITY_BLOCKED] = "blocked"};

struct path_writing {
	const struct trace *trace;
	struct json *json;
};

static void piece_write(void *context, const struct path_piece *p, int64_t from, int64_t to,
			uint64_t count)
{
	const struct path_writing *w = context;
	const struct trace *t = w->trace;
	struct json *j = w->json;

	json_object(j, NULL);
	json_int(j, "from", from);
	json_int(j, "to", to);
	json_string(j, "kind", kinds[p->kind]);
	json_string(j, "activity", activities[p->activity]);
	if (p->thread != NO_THREAD)
		json_uint(j, "thread", t->threads[p->thread].number);
	if (p->other != NO_THREAD)
		json_uint(j, "other", t->threads[p->other].number);
	if (count > 1)
		json_uint(j, "count", count);
	json_close(j);
}

struct reply path_reply(const struct session *s, const struct scene *scene,
			const struct critical_path *path)
{
	struct reply_stream stream;
	struct json json = reply_begin_json(&stream);
	int64_t pixel =
	    (scene->window.to - scene->window.from) / (scene->columns ? scene->columns : 1);

	json_array(&json, "pieces");
	path_pieces(path, scene->window.from, scene->window.to, pixel, piece_write,
		    &(struct path_writing){s->index->trace, &json});
	json_close(&json);
	return reply_end_json(&stream, &json);
}
