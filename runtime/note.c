#include "runtime/note.h"
#include "runtime/file.h"
#include "runtime/ring.h"
#include <string.h>

#define NOTE_ID 2u
#define NOTE_KIND_SHIFT 24
#define NOTE_MOST 128u          /* bytes of the longest, a SCHEMA */

static uint32_t padded(uint32_t size)
{
	return (size + 3) & ~3u;
}

/* Writes a note of padded(size) + 8 bytes. */
static void note_put(unsigned char *at, enum note kind, const void *content, uint32_t size)
{
	glimpse_put32(at, NOTE_ID);
	glimpse_put32(at + 4, (uint32_t)kind << NOTE_KIND_SHIFT | size);
	if (!size)
		return;
	glimpse_put32(at + 8 + padded(size) - 4, 0);
	memcpy(at + 8, content, size);
}

static bool ring_note(struct tail *t, enum note kind, const void *content, uint32_t size)
{
	unsigned char note[8 + NOTE_MOST];

	note_put(note, kind, content, size);
	return gl_ring_note(t, note, 8 + padded(size));
}

bool gl_note(struct tail *t, enum note kind, const void *content, uint32_t size)
{
	unsigned char *at;

	if (t->block)
		return ring_note(t, kind, content, size);
	at = gl_tail_room(t, 8 + padded(size));
	if (!at)
		return false;
	note_put(at, kind, content, size);
	gl_tail_advance(t, 8 + padded(size));
	return true;
}

void gl_note_pad(struct tail *t, uint32_t end)
{
	unsigned char *at = (unsigned char *)t + GLIMPSE_TAIL_START + gl_tail_head(t);
	uint32_t size = end - gl_tail_head(t) - GL_NOTE_PAD_SIZE;

	glimpse_put32(at, NOTE_ID);
	glimpse_put32(at + 4, (uint32_t)NOTE_PAD << NOTE_KIND_SHIFT | size);
	memset(at + GL_NOTE_PAD_SIZE, 0, size);
	gl_tail_advance(t, GL_NOTE_PAD_SIZE + size);
}

void gl_note_lost(struct tail *t)
{
	unsigned char content[12];

	glimpse_put64(content, t->hot.lost);
	glimpse_put32(content + 8, t->hot.why);
	if (gl_note(t, NOTE_LOST, content, sizeof content))
		__atomic_store_n(&t->hot.lost, 0, __ATOMIC_RELEASE);
}

bool gl_note_lost_copy(const struct tail *t, int fd, uint64_t *offset)
{
	uint64_t lost = __atomic_load_n(&t->hot.lost, __ATOMIC_RELAXED);
	unsigned char note[GL_NOTE_LOST_SIZE], content[12];

	if (!lost)
		return true;
	glimpse_put64(content, lost);
	glimpse_put32(content + 8, __atomic_load_n(&t->hot.why, __ATOMIC_RELAXED));
	note_put(note, NOTE_LOST, content, sizeof content);
	if (!gl_file_write(fd, note, sizeof note, *offset))
		return false;
	*offset += sizeof note;
	return true;
}

void gl_note_schema(struct tail *t, const struct spec_entry *entry)
{
	unsigned char content[16 + sizeof entry->name];
	uint32_t length = (uint32_t)strlen(entry->name);

	glimpse_put64(content, entry->schema);
	glimpse_put32(content + 8, entry->base);
	glimpse_put32(content + 12, entry->count);
	memcpy(content + 16, entry->name, length);
	gl_note(t, NOTE_SCHEMA, content, 16 + length);
}

void gl_note_schemas(struct tail *t)
{
	const struct spec_entry *e = gl_process.file->specs;

	for (unsigned i = 0; i < GL_SPECS && e[i].count; i++)
		gl_note_schema(t, &e[i]);
}
