#include "viewers/gorge/query/view.h"
#include <string.h>

static const char *const sort_names[] = {"spec", "logged", "start", "name", "activity"};

int sort_find(const char *name)
{
	for (int i = 0; i < (int)(sizeof sort_names / sizeof *sort_names); i++)
		if (!strcmp(sort_names[i], name))
			return i;
	return -1;
}

const char *sort_name(enum sort sort)
{
	return sort_names[sort];
}

static const char *const order_names[] = {"time", "logical"};

int order_find(const char *name)
{
	for (int i = 0; i < (int)(sizeof order_names / sizeof *order_names); i++)
		if (!strcmp(order_names[i], name))
			return i;
	return -1;
}

const char *order_name(enum order order)
{
	return order_names[order];
}

static const char *const grouping_names[] = {"process", "creator", "name", "none"};

int grouping_find(const char *name)
{
	for (int i = 0; i < (int)(sizeof grouping_names / sizeof *grouping_names); i++)
		if (!strcmp(grouping_names[i], name))
			return i;
	return -1;
}

const char *grouping_name(enum grouping grouping)
{
	return grouping_names[grouping];
}
