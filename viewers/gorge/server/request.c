#include "viewers/gorge/server/request.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WIDTH = 200, GREATEST_SIZE = 20000 };

bool request_number(const struct http_request *a, const char *name, double least, double most, double *number)
{
	const char *text = http_value(a, name);
	char *end;

	if (!text || !*text)
		return false;
	*number = strtod(text, &end);
	return !*end && *number >= least && *number <= most;
}

bool request_index(const struct http_request *a, const char *name, size_t n, size_t *index)
{
	double number;

	if (n == 0 || !request_number(a, name, 0, (double)(n - 1), &number))
		return false;
	*index = (size_t)number;
	return true;
}

/* False: there is one, but it is no time. */
static bool read_time(const struct http_request *a, const char *name, bool *has, int64_t *time)
{
	const char *text = http_value(a, name);
	char *end;

	if (!text)
		return true;
	errno = 0;
	*time = strtoll(text, &end, 10);
	*has = true;
	return *text && !*end && !errno;
}

void request_duration(const struct http_request *a, const char *name, int64_t *ns)
{
	bool has = false;
	int64_t given;

	if (read_time(a, name, &has, &given) && has)
		*ns = given;
}

bool request_pick(const struct http_request *a, struct selection *p)
{
	bool least = false, most = false;

	p->interval = http_value(a, "pick");
	return !p->interval || (read_time(a, "least", &least, &p->least) && least &&
				read_time(a, "most", &most, &p->most) && most);
}

/* False: there is one, but it is none. */
static bool read_viewport(const struct http_request *a, struct view *v)
{
	const char *text = http_value(a, "viewport");
	int end = 0;

	if (!text)
		return true;
	v->has_viewport = sscanf(text, "%u-%u%n", &v->viewport.first, &v->viewport.last, &end) == 2 && !text[end];
	return v->has_viewport;
}

static void read_list(const struct http_request *a, const char *name, const char **list)
{
	const char *text = http_value(a, name);

	if (text)
		*list = text;
}

const char *request_view(const struct http_request *a, const struct view *base, struct view_request *q)
{
	const char *theme = http_value(a, "theme"), *sort = http_value(a, "sort");

	*q = (struct view_request){.view = *base};
	q->view.steady = true;
	q->view.height = 0;
	if (!read_time(a, "from", &q->view.has_from, &q->view.window.from) ||
	    !read_time(a, "to", &q->view.has_to, &q->view.window.to))
		return "from and to are nanoseconds";
	if (http_value(a, "width") &&
	    !request_number(a, "width", LEAST_WIDTH, GREATEST_SIZE, &q->view.width))
		return "width is from 200 to 20000 pixels";
	if (http_value(a, "room") && !request_number(a, "room", 0, GREATEST_SIZE, &q->room))
		return "room is at most 20000 pixels";
	if (theme && !(q->view.theme = theme_find(theme)))
		return "theme is light or dark";
	if (sort && sort_find(sort) < 0)
		return "sort is logged, start, name or activity";
	if (sort)
		q->view.sort = (enum sort)sort_find(sort);
	if (http_value(a, "flat"))
		q->view.flat = !strcmp(http_value(a, "flat"), "1");
	read_list(a, "tracks", &q->view.tracks);
	read_list(a, "collapsed", &q->view.collapsed);
	if (!request_pick(a, &q->view.pick))
		return "least and most are nanoseconds";
	if (!read_viewport(a, &q->view))
		return "viewport is two lanes, as in 0-99";
	read_list(a, "events", &q->view.events);
	read_list(a, "intervals", &q->view.intervals);
	read_list(a, "threads", &q->view.threads);
	return NULL;
}
