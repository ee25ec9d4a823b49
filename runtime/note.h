/* Notes: records that are no events. */
#ifndef GLIMPSE_RUNTIME_NOTE_H
#define GLIMPSE_RUNTIME_NOTE_H

#include "runtime/tail.h"

enum note {
	NOTE_SCHEMA = 1,
	NOTE_NAME = 2,
	NOTE_CLOCK = 3,
	NOTE_LOST = 4,
	NOTE_SWITCH = 5,
	NOTE_END = 6,
	NOTE_PAD = 7
};

#define GL_NOTE_END { 2, 6u << 24 }      /* the words of that note */
#define GL_NOTE_LOST_SIZE 20u
#define GL_NOTE_PAD_SIZE 8u     /* at least */

/* Writes a note of at most 128 bytes. False when there was no place for it. */
bool gl_note(struct tail *t, enum note kind, const void *content, uint32_t size);

/* Fills the tail up to `end` with a note that says nothing; at least 8 bytes. */
void gl_note_pad(struct tail *t, uint32_t end);

/* Writes how many events the tail had to drop, and forgets it. */
void gl_note_lost(struct tail *t);
/*
 * The same to a copy of the log at *offset, which moves on; nothing when nothing was dropped. False
 * with errno.
 */
bool gl_note_lost_copy(const struct tail *t, int fd, uint64_t *offset);

/* One SCHEMA for each specification that the process has registered so far. Under the lock. */
void gl_note_schemas(struct tail *t);
void gl_note_schema(struct tail *t, const struct spec_entry *entry);

#endif
