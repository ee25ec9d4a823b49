#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/index/layer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WIDTH = 200, GREATEST_SIZE = 20000 };

bool request_number(const struct http_request *request, const char *name, double least, double most,
		    double *number)
{
	const char *text = http_value(request, name);
	char *end;

	if (!text || !*text)
		return false;
	*number = strtod(text, &end);
	return !*end && *number >= least && *number <= most;
}

bool request_index(const struct http_request *request, const char *name, size_t n, size_t *index)
{
	double number;

	if (n == 0 || !request_number(request, name, 0, (double)(n - 1), &number))
		return false;
	*index = (size_t)number;
	return true;
}

/* Returns false if there is a value that is not a time. */
static bool read_time(const struct http_request *request, const char *name, bool *has,
		      int64_t *time)
{
	const char *text = http_value(request, name);
	char *end;

	if (!text)
		return true;
	errno = 0;
	*time = strtoll(text, &end, 10);
	*has = true;
	return *text && !*end && !errno;
}

void request_duration(const struct http_request *request, const char *name, int64_t *ns)
{
	bool has = false;
	int64_t given;

	if (read_time(request, name, &has, &given) && has)
		*ns = given;
}

bool request_pick(const struct http_request *request, struct duration_selection *p)
{
	bool least = false, most = false;

	p->interval = http_value(request, "pick");
	return !p->interval || (read_time(request, "least", &least, &p->least) && least &&
				read_time(request, "most", &most, &p->most) && most);
}

/* Returns false if there is a value that is not two lanes. */
static bool read_viewport(const struct http_request *request, struct view *v)
{
	const char *text = http_value(request, "viewport");
	int end = 0;

	if (!text)
		return true;
	v->has_viewport =
	    sscanf(text, "%u-%u%n", &v->viewport.first, &v->viewport.last, &end) == 2 && !text[end];
	return v->has_viewport;
}

static void read_list(const struct http_request *request, const char *name, const char **list)
{
	const char *text = http_value(request, name);

	if (text)
		*list = text;
}

const char *request_view(const struct http_request *request, const struct view *base,
			 struct view_request *q)
{
	const char *theme = http_value(request, "theme"), *sort = http_value(request, "sort"),
		   *group = http_value(request, "group");

	*q = (struct view_request){.view = *base};
	q->view.switched = true;
	q->view.height = 0;
	if (!read_time(request, "from", &q->view.has_from, &q->view.window.from) ||
	    !read_time(request, "to", &q->view.has_to, &q->view.window.to))
		return "from and to must be nanoseconds";
	if (http_value(request, "width") &&
	    !request_number(request, "width", LEAST_WIDTH, GREATEST_SIZE, &q->view.width))
		return "width must be 200 to 20000 pixels";
	if (http_value(request, "room") &&
	    !request_number(request, "room", 0, GREATEST_SIZE, &q->room))
		return "room must be at most 20000 pixels";
	if (http_value(request, "names") &&
	    !request_number(request, "names", 0, GREATEST_SIZE, &q->view.names))
		return "names must be at most 20000 pixels";
	if (http_value(request, "functions")) {
		double rows;

		if (!request_number(request, "functions", 1, MOST_FUNCTION_ROWS, &rows))
			return "functions must be 1 to 100 rows";
		q->view.functions = (unsigned)rows;
	}
	if (theme && !(q->view.theme = theme_find(theme)))
		return "theme: unknown theme (expected light or dark)";
	if (sort && sort_find(sort) < 0)
		return "sort: unknown order (expected spec, logged, start, name or activity)";
	if (sort)
		q->view.sort = (enum sort)sort_find(sort);
	if (group && grouping_find(group) < 0)
		return "group: unknown grouping (expected process, creator, name or none)";
	if (group)
		q->view.group = (enum grouping)grouping_find(group);
	/* a page knows what is folded */
	if (http_value(request, "collapsed"))
		q->view.fold = NULL;
	read_list(request, "layers", &q->view.layers);
	if (!layers_read(q->view.layers, &(unsigned){0}))
		return "layers: unknown layer (expected own, states, waits, locks, wake-ups, "
		       "events, all or none)";
	read_list(request, "lanes", &q->view.lanes);
	read_list(request, "tracks", &q->view.tracks);
	read_list(request, "collapsed", &q->view.collapsed);
	if (!request_pick(request, &q->view.pick))
		return "least and most must be nanoseconds";
	if (!read_viewport(request, &q->view))
		return "viewport must be two lanes, as in 0-99";
	read_list(request, "events", &q->view.events);
	read_list(request, "intervals", &q->view.intervals);
	read_list(request, "threads", &q->view.threads);
	return NULL;
}
