#include "analysis/activity/subject.h"
#include "trace/symbols/symbols.h"

static const char *const kind_names[NSUBJECTS] = {"function", "interval", "lock", "site", "thread"};

const char *subject_kind_name(enum subject_kind kind)
{
	return kind_names[kind];
}

struct subject subject_named(const struct trace *t, enum subject_kind kind, const char *name)
{
	return (struct subject){kind, symbols_number(t, name), name};
}

bool subject_has_class(const struct instance_set *set, const struct subject *s,
		       const struct span_class *class)
{
	enum interval_kind kind = class->role->kind;
	int64_t key;

	switch (s->kind) {
	case SUBJECT_INTERVAL:
		key = NO_KEY;
		break;
	case SUBJECT_LOCK:
		if (kind != KIND_HOLD)
			return false;
		key = class->object;
		break;
	case SUBJECT_SITE:
		if (kind == KIND_CALL)
			return false;
		key = class->site;
		break;
	case SUBJECT_FUNCTION:
		if (kind != KIND_CALL && class->function == NO_KEY)
			return false;
		key = class->function;
		break;
	default:
		return false;
	}
	return s->key ==
	       (key != NO_KEY ? key : symbols_number(set->trace, class->role->interval->name));
}

bool subject_has_thread(const struct trace *t, const struct subject *s, uint32_t thread)
{
	return s->kind == SUBJECT_THREAD && s->key == symbols_number(t, t->threads[thread].label);
}
