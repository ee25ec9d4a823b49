#include "viewers/gorge/query/view.h"
#include <string.h>

const char *const sort_names[NSORTS] = {"spec", "logged", "start", "name", "activity"};
const char *const grouping_names[NGROUPINGS] = {"process", "creator", "name", "none"};
const char *const order_names[NORDERS] = {"time", "logical"};

static int name_find(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

int sort_find(const char *name)
{
	return name_find(sort_names, NSORTS, name);
}

const char *sort_name(enum sort sort)
{
	return sort_names[sort];
}

const char *order_name(enum view_order order)
{
	return order_names[order];
}

int grouping_find(const char *name)
{
	return name_find(grouping_names, NGROUPINGS, name);
}

const char *grouping_name(enum grouping grouping)
{
	return grouping_names[grouping];
}
