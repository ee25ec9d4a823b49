/* Lists of functions of probes, which are called in the order of registration. */
#ifndef GLIMPSE_RUNTIME_HOOK_H
#define GLIMPSE_RUNTIME_HOOK_H

#include "runtime/glimpse.h"

/* From constructors only, which run one after the other. */
static inline void gl_hook_add(struct glimpse_hook **list, struct glimpse_hook *hook)
{
	while (*list)
		list = &(*list)->next;
	*list = hook;
}

static inline void gl_hooks_call(const struct glimpse_hook *list)
{
	for (; list; list = list->next)
		list->call();
}

#endif
