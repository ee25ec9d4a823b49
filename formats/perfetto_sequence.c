#include "formats/perfetto_sequence.h"
#include <inttypes.h>
#include <stdlib.h>

void perfetto_sequence_clear(struct perfetto_sequence *s)
{
	for (size_t i = 0; i < s->texts.n; i++)
		free(s->texts.at[i]);
	s->texts.n = s->frames.n = s->stack_frames.n = 0;
	for (int i = 0; i < NINTERNED; i++)
		hash_table_reset(&s->by_text[i]);
	hash_table_reset(&s->by_frame);
	hash_table_reset(&s->by_mapping);
	hash_table_reset(&s->by_stack);
	memset(s->clocks, 0, sizeof s->clocks);
	s->clock = 0;
	s->track = 0;
}

void perfetto_sequence_free(struct perfetto_sequence *s)
{
	perfetto_sequence_clear(s);
	for (int i = 0; i < NINTERNED; i++)
		hash_table_free(&s->by_text[i]);
	hash_table_free(&s->by_frame);
	hash_table_free(&s->by_mapping);
	hash_table_free(&s->by_stack);
	free(s->texts.at);
	free(s->frames.at);
	free(s->stack_frames.at);
	free(s);
}

/* ---- interned data ---- */

static void set(struct hash_table *t, uint64_t iid, size_t index)
{
	struct hash_slot *slot = hash_table_slot(t, hash_mix(iid), iid);

	slot->head = (uint32_t)index;
	slot->tail = 0;
}

static const struct hash_slot *get(const struct hash_table *t, uint64_t iid)
{
	return hash_table_find(t, hash_mix(iid), iid);
}

/* All messages that are interned have their number first. */
enum { FIELD_IID = 1 };

static void text_add(struct perfetto_sequence *s, enum interned what, struct proto message)
{
	enum { FIELD_TEXT = 2 };
	struct proto text = proto_bytes(message, FIELD_TEXT);

	set(&s->by_text[what], proto_word(message, FIELD_IID, 0), s->texts.n);
	*vector_add(&s->texts) =
	    text_format("%.*s", (int)text.n, text.n ? (const char *)text.at : "");
}

static void frame_add(struct perfetto_sequence *s, struct proto message)
{
	enum { FIELD_FUNCTION = 2, FIELD_MAPPING, FIELD_ADDRESS };

	set(&s->by_frame, proto_word(message, FIELD_IID, 0), s->frames.n);
	*vector_add(&s->frames) = (struct perfetto_frame){proto_word(message, FIELD_FUNCTION, 0),
							  proto_word(message, FIELD_MAPPING, 0),
							  proto_word(message, FIELD_ADDRESS, 0)};
}

/* Adds the last part of a mapping's path, which is its file. */
static void mapping_add(struct perfetto_sequence *s, struct proto message)
{
	enum { FIELD_PATHS = 7 };
	uint64_t iid = proto_word(message, FIELD_IID, 0), path = 0;
	struct proto_field f;

	while (proto_next(&message, &f))
		while (f.number == FIELD_PATHS && proto_number(&f, false, &path))
			;
	set(&s->by_mapping, iid, (size_t)path);
}

static void stack_add(struct perfetto_sequence *s, struct proto message)
{
	enum { FIELD_FRAMES = 2 };
	size_t head = s->stack_frames.n;
	struct proto_field f;
	uint64_t frame;

	set(&s->by_stack, proto_word(message, FIELD_IID, 0), head);
	*vector_add(&s->stack_frames) = 0;
	while (proto_next(&message, &f))
		while (f.number == FIELD_FRAMES && proto_number(&f, false, &frame))
			*vector_add(&s->stack_frames) = frame;
	s->stack_frames.at[head] = s->stack_frames.n - head - 1;
}

void perfetto_intern(struct perfetto_sequence *s, struct proto data)
{
	struct proto_field f;

	while (proto_next(&data, &f)) {
		if (!f.is_bytes)
			continue;
		switch (f.number) {
		case 1:
			text_add(s, INTERNED_CATEGORY, f.bytes);
			break;
		case 2:
			text_add(s, INTERNED_NAME, f.bytes);
			break;
		case 3:
			text_add(s, INTERNED_ANNOTATION, f.bytes);
			break;
		case 5:
			text_add(s, INTERNED_FUNCTION, f.bytes);
			break;
		case 6:
			frame_add(s, f.bytes);
			break;
		case 7:
			stack_add(s, f.bytes);
			break;
		case 17:
			text_add(s, INTERNED_PATH, f.bytes);
			break;
		case 19:
			mapping_add(s, f.bytes);
			break;
		case 29:
			text_add(s, INTERNED_VALUE, f.bytes);
			break;
		default:
			break;
		}
	}
}

/* ---- asking ---- */

const char *perfetto_text(const struct perfetto_sequence *s, enum interned what, uint64_t iid)
{
	const struct hash_slot *slot = get(&s->by_text[what], iid);

	return slot ? s->texts.at[slot->head] : NULL;
}

const uint64_t *perfetto_stack(const struct perfetto_sequence *s, uint64_t iid, size_t *n)
{
	const struct hash_slot *slot = get(&s->by_stack, iid);

	if (!slot)
		return NULL;
	*n = (size_t)s->stack_frames.at[slot->head];
	return s->stack_frames.at + slot->head + 1;
}

char *perfetto_frame_name(const struct perfetto_sequence *s, uint64_t iid)
{
	const struct hash_slot *slot = get(&s->by_frame, iid), *mapping;
	const struct perfetto_frame *f = slot ? &s->frames.at[slot->head] : NULL;
	const char *function = f ? perfetto_text(s, INTERNED_FUNCTION, f->function) : NULL, *path;

	if (function && *function)
		return text_format("%s", function);
	mapping = f ? get(&s->by_mapping, f->mapping) : NULL;
	path = mapping ? perfetto_text(s, INTERNED_PATH, mapping->head) : NULL;
	return text_format("%s+0x%" PRIx64, path && *path ? path : "unknown", f ? f->address : 0);
}
