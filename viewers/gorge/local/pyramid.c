/* A document's trace is small: each picture looks at all of it. */
#include "viewers/gorge/pyramid.h"
#include "viewers/gorge/gather.h"

struct pyramid *pyramid_new(struct model *m)
{
	(void)m;
	return NULL;
}

void pyramid_free(struct pyramid *p)
{
	(void)p;
}

void gather_pyramid(struct gather *g)
{
	(void)g;
}
