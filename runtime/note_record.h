/* Notes: the records that are no events (doc/log-format.md), as bytes. */
#ifndef GLIMPSE_RUNTIME_NOTE_RECORD_H
#define GLIMPSE_RUNTIME_NOTE_RECORD_H

#include "runtime/tail.h"

enum log_note {
	NOTE_SCHEMA = 1,
	NOTE_NAME = 2,
	NOTE_CLOCK = 3,
	NOTE_LOST = 4,
	NOTE_SWITCH = 5,
	NOTE_END = 6,
	NOTE_PAD = 7
};

#define GL_NOTE_HEAD_SIZE 8u /* of any note, and the least of a PAD */
#define GL_NOTE_LOST_SIZE 20u
#define GL_NOTE_MOST 136u /* bytes of the longest note that is no PAD, a SCHEMA */

/* Writes a note with `size` bytes of content (at most 128), and returns the note's size. */
uint32_t gl_note_put(unsigned char *at, enum log_note kind, const void *content, uint32_t size);
/* Writes a note LOST of GL_NOTE_LOST_SIZE bytes. */
void gl_note_put_lost(unsigned char *at, uint64_t events, uint32_t why);
/* Writes a note of `size` bytes that says nothing. */
void gl_note_put_pad(unsigned char *at, uint32_t size);
/*
 * Writes the number of lost events that a tail counts to a file at *offset, and moves *offset to
 * the end of the note; writes nothing if none was lost. Returns false with errno set if that
 * failed.
 */
bool gl_note_write_lost(const struct tail *t, int fd, uint64_t *offset);

#endif
