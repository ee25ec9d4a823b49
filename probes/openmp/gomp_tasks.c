/*
 * Tasks of libgomp. The runtime copies the data of a task when it is created; ours is in front of
 * it, so the copy has both: task_run() logs, and runs the program's body with its part.
 */
#include "openmp_glimpse.h"
#include "probes/openmp/gomp.h"
#include "probes/openmp/team.h"
#include <string.h>

/* gcc's flags of a task. */
#define FLAG_DETACH 8192u /* the runtime stores to the data */

/* What a loop of tasks has at the beginning of its data, and the runtime changes for each task. */
enum { RANGE = 3 };

struct gomp_task {
	uint64_t range[RANGE];
	gomp_body *body;
	void (*copy)(void *, void *); /* the program's; NULL: byte by byte */
	void *data;                   /* before it is copied */
	uint64_t number;              /* 0: of a loop, whose tasks get one as they run */
	size_t offset, size;          /* of the program's data behind this, once copied */
	size_t ranges;                /* bytes of the data that are in range */
};

static void task_copy(void *to, void *from)
{
	struct gomp_task *copy = to;
	const struct gomp_task *t = from;
	char *data = (char *)to + t->offset;

	*copy = *t;
	if (t->copy)
		t->copy(data, t->data);
	else if (t->size)
		memcpy(data, t->data, t->size);
	copy->data = data;
}

static void task_run(void *at)
{
	struct gomp_task *t = at;
	uint64_t number = t->number;

	memcpy(t->data, t->range, t->ranges);
	if (!number && !team_detail((const void *)t->body)) {
		t->body(t->data);
		return;
	}
	number = number ? number : team_task();
	TaskBegin_Stamp(number, (const void *)t->body);
	t->body(t->data);
	TaskEnd_Stamp(number);
}

/* Returns a task for data that is aligned to `align`, a power of two. */
static struct gomp_task task_of(gomp_body *body, void *data, void (*copy)(void *, void *),
				long size, long align)
{
	size_t a = align < 8 ? 8 : (size_t)align;

	return (struct gomp_task){.body = body,
				  .copy = copy,
				  .data = data,
				  .size = (size_t)size,
				  .offset = (sizeof(struct gomp_task) + a - 1) & ~(a - 1)};
}

WRAP_EXPORT void GOMP_task(gomp_body *body, void *data, void (*copy)(void *, void *), long size,
			   long align, bool deferred, unsigned flags, void **depend, int priority,
			   void *detach)
{
	struct gomp_task t;
	GOMP_REAL(GOMP_task);

	if (gomp_quiet() || flags & FLAG_DETACH || !team_detail(WRAP_SITE)) {
		real(body, data, copy, size, align, deferred, flags, depend, priority, detach);
		return;
	}
	t = task_of(body, data, copy, size, align);
	t.number = team_task();
	TaskCreate_Stamp(t.number, (const void *)body, WRAP_SITE);
	real(task_run, &t, task_copy, (long)(t.offset + t.size), align < 8 ? 8 : align, deferred,
	     flags, depend, priority, detach);
}

/* libgomp calls the body with its own range, or with the data as it is. */
static struct gomp_task loop_of(gomp_body *body, void *data, void (*copy)(void *, void *),
				long size, long align)
{
	struct gomp_task t = task_of(body, data, copy, size, align);

	t.ranges = t.size < sizeof t.range ? t.size : sizeof t.range;
	memcpy(t.range, data, t.ranges);
	return t;
}

#define TASKLOOP(name, type) \
	WRAP_EXPORT void name(gomp_body *body, void *data, void (*copy)(void *, void *), \
			      long size, long align, unsigned flags, unsigned long tasks, \
			      int priority, type start, type end, type step) \
	{ \
		struct gomp_task t; \
		GOMP_REAL(name); \
		if (gomp_quiet()) { \
			real(body, data, copy, size, align, flags, tasks, priority, start, end, \
			     step); \
			return; \
		} \
		t = loop_of(body, data, copy, size, align); \
		TaskWaitBegin_Stamp(WRAP_SITE); \
		real(task_run, &t, task_copy, (long)(t.offset + t.size), align < 8 ? 8 : align, \
		     flags, tasks, priority, start, end, step); \
		TaskWaitEnd_Stamp(); \
	}
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, ull)

#define TASK_WAIT(name, parameters, arguments) \
	WRAP_EXPORT void name parameters \
	{ \
		GOMP_REAL(name); \
		if (gomp_quiet()) { \
			real arguments; \
			return; \
		} \
		TaskWaitBegin_Stamp(WRAP_SITE); \
		real arguments; \
		TaskWaitEnd_Stamp(); \
	}
TASK_WAIT(GOMP_taskwait, (void), ())
TASK_WAIT(GOMP_taskwait_depend, (void **depend), (depend))
TASK_WAIT(GOMP_taskyield, (void), ())
TASK_WAIT(GOMP_taskgroup_end, (void), ())
