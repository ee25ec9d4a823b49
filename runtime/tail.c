#include "runtime/tail.h"

_Static_assert(sizeof(struct tail) <= GLIMPSE_TAIL_START, "the header is one page");
_Static_assert(offsetof(struct tail, stride) == 80, "doc/log-format.md");
_Static_assert(offsetof(struct tail, pending) == 88, "doc/log-format.md");
_Static_assert(offsetof(struct tail, block) == 120, "doc/log-format.md");

void gl_tail_reset(struct tail *t, uint32_t level, uint64_t base, uint32_t held)
{
	t->hot.base = base;
	gl_tail_head_set(t, held);
	t->hot.level = level;
	t->hot.since = GLIMPSE_NEVER;
	t->upper = UINT64_MAX;
	t->hot.busy = 0;
	t->hot.lost = 0;
	t->hot.events = 0;
	t->reach = base;
	t->pending.used = 0;
	t->retry = t->extended = t->extend_retry = 0;
	t->appended = t->granted = 0;
	t->grow_at = 2;
	t->created = held == 0;
	t->direct_fails = false;
	t->moved = t->former = NULL;
}

void gl_tail_publish(struct tail *t, uint32_t thread)
{
	__atomic_store_n(&t->hot.thread, thread, __ATOMIC_RELEASE);
}

struct tail_view gl_tail_view(const struct tail *t)
{
	struct tail_view v = {
		.base = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE),
		.size = gl_tail_head(t),
	};
	uint64_t reach = __atomic_load_n(&t->reach, __ATOMIC_ACQUIRE);

	if (v.base + v.size < reach) {
		v.base = reach;
		v.size = 0;
	}
	v.pending.used = __atomic_load_n(&t->pending.used, __ATOMIC_ACQUIRE);
	v.pending.base = __atomic_load_n(&t->pending.base, __ATOMIC_ACQUIRE);
	return v;
}

bool gl_tail_unchanged(const struct tail_view *before, const struct tail_view *after)
{
	return before->base == after->base && before->size <= after->size &&
	       (!before->pending.used || before->pending.base == after->pending.base);
}
