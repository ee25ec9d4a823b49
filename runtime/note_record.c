#include "runtime/note_record.h"
#include "runtime/file.h"

#define NOTE_ID 2u
#define NOTE_KIND_SHIFT 24

static void head_put(unsigned char *at, enum log_note kind, uint32_t size)
{
	glimpse_put32(at, NOTE_ID);
	glimpse_put32(at + 4, (uint32_t)kind << NOTE_KIND_SHIFT | size);
}

uint32_t gl_note_put(unsigned char *at, enum log_note kind, const void *content, uint32_t size)
{
	uint32_t padded = (size + 3) & ~3u;

	head_put(at, kind, size);
	if (size) {
		glimpse_put32(at + GL_NOTE_HEAD_SIZE + padded - 4, 0);
		memcpy(at + GL_NOTE_HEAD_SIZE, content, size);
	}
	return GL_NOTE_HEAD_SIZE + padded;
}

void gl_note_put_lost(unsigned char *at, uint64_t events, uint32_t why)
{
	unsigned char content[GL_NOTE_LOST_SIZE - GL_NOTE_HEAD_SIZE];

	glimpse_put64(content, events);
	glimpse_put32(content + 8, why);
	gl_note_put(at, NOTE_LOST, content, sizeof content);
}

void gl_note_put_pad(unsigned char *at, uint32_t size)
{
	head_put(at, NOTE_PAD, size - GL_NOTE_HEAD_SIZE);
	memset(at + GL_NOTE_HEAD_SIZE, 0, size - GL_NOTE_HEAD_SIZE);
}

bool gl_note_write_lost(const struct tail *t, int fd, uint64_t *offset)
{
	uint64_t lost = __atomic_load_n(&t->hot.lost, __ATOMIC_RELAXED);
	unsigned char note[GL_NOTE_LOST_SIZE];

	if (!lost)
		return true;
	gl_note_put_lost(note, lost, __atomic_load_n(&t->hot.why, __ATOMIC_RELAXED));
	if (!gl_file_write(fd, note, sizeof note, *offset))
		return false;
	*offset += sizeof note;
	return true;
}
