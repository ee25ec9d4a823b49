/* What the notes of a log say. */
#include "trace/format/record.h"
#include "trace/format/swap.h"
#include "trace/log/scanning.h"
#include <inttypes.h>
#include <stdlib.h>

bool pairs_add(struct clock_samples *p, const struct clock_sample *pair)
{
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 64;
		struct clock_sample *list = realloc(p->list, room * sizeof *list);

		if (!list)
			return false;
		p->list = list;
		p->room = room;
	}
	p->list[p->count++] = *pair;
	return true;
}

/* The table when the log has a note SCHEMA; NULL, and *why is set, when it cannot be true. */
static const struct id_table *claim_take(struct scan *s, uint64_t identity, uint32_t base,
					 const char **why)
{
	struct schemas *schemas = s->scanner->schemas;
	struct claim claim = {schemas_find(schemas, identity), base};
	const struct id_table *ids = NULL;

	if (claim.schema)
		ids = schemas_claim(schemas, s->ids, claim, why);
	/* What other logs of the process say does not bind a log that says otherwise. */
	if (!ids && claim.schema && !s->claimed)
		ids = schemas_claim(schemas, NULL, claim, why);
	return ids;
}

static void take_schema(struct scan *s, const unsigned char *content, size_t size)
{
	const struct scanner *scanner = s->scanner;
	const struct id_table *ids;
	const char *why = "is unknown: no .spec beside the log has it, -s FILE can give it";
	uint64_t identity;

	if (size < 16)
		return;
	identity = read_64(content);
	if (scanner->lock)
		pthread_mutex_lock(scanner->lock);
	ids = claim_take(s, identity, read_32(content + 8), &why);
	if (scanner->lock)
		pthread_mutex_unlock(scanner->lock);
	s->claimed = true;
	if (ids)
		s->ids = s->log->ids = ids;
	else if (!scanner->diag)
		*scanner->told = true;
	else
		diag_warning(scanner->diag, "log", DIAG_NOWHERE,
			     "%s: the schema %016" PRIx64 " of '%.*s' %s", s->log->files[0].path,
			     identity, (int)(size - 16 < 64 ? size - 16 : 64),
			     (const char *)content + 16, why);
}

static void take_name(struct scan *s, const unsigned char *content, size_t size)
{
	char *name = strndup((const char *)content, size);

	if (!name) {
		s->failed = true;
		return;
	}
	free(s->log->name);
	s->log->name = name;
}

static void take_clock(struct scan *s, const unsigned char *content, size_t size)
{
	struct clock_sample pair;

	if (size < 24 || s->log->clock != CLOCK_COUNTER)
		return;
	pair = (struct clock_sample){read_64(content), (int64_t)read_64(content + 8),
				   (int64_t)read_64(content + 16)};
	s->failed |= !pairs_add(s->scanner->pairs, &pair);
}

void mark_lost(struct scan *s)
{
	s->failed |= !marks_add(&s->log->marks, (struct mark){MARK_LOST, s->newest, UINT64_MAX});
}

static void take_switch(struct scan *s, const unsigned char *content, size_t size)
{
	/* other ids stand in the file "switches" */
	if (size >= 16 && read_32(content) == 0)
		s->failed |= !marks_add(&s->log->marks,
					(struct mark){read_32(content + 4) ? MARK_ON : MARK_OFF,
						      read_64(content + 8), UINT64_MAX});
}

static void take_lost(struct scan *s, const unsigned char *content, size_t size)
{
	mark_lost(s);
	if (size >= 12 && __builtin_add_overflow(s->log->lost, read_64(content), &s->log->lost))
		s->log->lost = UINT64_MAX;
}

void take_note(struct scan *s, unsigned char *record)
{
	static void (*const take[])(struct scan *, const unsigned char *, size_t) = {
	    [NOTE_SCHEMA] = take_schema, [NOTE_NAME] = take_name,     [NOTE_CLOCK] = take_clock,
	    [NOTE_LOST] = take_lost,	 [NOTE_SWITCH] = take_switch,
	};
	uint32_t word = read_32(record + 4);

	if (s->log->swapped)
		note_turn(record);
	if (NOTE_KIND(word) <= NOTE_SWITCH && take[NOTE_KIND(word)])
		take[NOTE_KIND(word)](s, record + NOTE_HEADER, NOTE_SIZE(word));
}
