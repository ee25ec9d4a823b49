#include "trace/write/log_write.h"
#include "base/array.h"
#include "trace/format/record.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void header_write(FILE *f, const struct log_head *head)
{
	unsigned char bytes[LOG_HEADER] = {0};

	write_64(bytes, LOG_MAGIC);
	write_32(bytes + 8, LOG_HEADER);
	write_32(bytes + 12, FORMAT_VERSION);
	write_32(bytes + 16, head->name.number);
	write_32(bytes + 20, head->pid);
	write_64(bytes + 24, head->tid);
	write_32(bytes + 32, head->clock);
	write_64(bytes + 40, head->opened.ticks);
	write_64(bytes + 48, (uint64_t)head->opened.monotonic);
	write_64(bytes + 56, (uint64_t)head->opened.realtime);
	memcpy(bytes + 64, head->thread, strnlen(head->thread, 63));
	fwrite(bytes, sizeof bytes, 1, f);
}

static bool log_file_open(struct log_file_writer *w, const char *directory,
			  const struct log_head *head, int flags)
{
	char text[LOG_NAME_TEXT], *path;
	int fd;

	*w = (struct log_file_writer){.file = NULL};
	path = text_format("%s/%s", directory, log_name_print(text, head->name));
	fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	free(path);
	if (fd >= 0)
		w->file = fdopen(fd, "w");
	if (!w->file)
		return false;
	header_write(w->file, head);
	return true;
}

bool log_file_begin(struct log_file_writer *w, const char *directory, const struct log_head *head)
{
	return log_file_open(w, directory, head, O_CREAT | O_EXCL);
}

bool log_file_begin_head(struct log_file_writer *w, const char *directory,
			 const struct log_head *head)
{
	return log_file_open(w, directory, head, 0);
}

static void note_write(FILE *f, enum note_kind kind, const unsigned char *content, uint32_t size)
{
	static const unsigned char zeros[4];
	unsigned char head[NOTE_HEADER];

	write_32(head, RECORD_NOTE);
	write_32(head + 4, (uint32_t)kind << 24 | size);
	fwrite(head, sizeof head, 1, f);
	if (size)
		fwrite(content, size, 1, f);
	if (size % 4)
		fwrite(zeros, 4 - size % 4, 1, f);
}

void log_file_schema(struct log_file_writer *w, uint64_t identity, uint32_t base, uint32_t events,
		     const char *name)
{
	unsigned char content[16 + 112];
	size_t length = strnlen(name, 111);

	write_64(content, identity);
	write_32(content + 8, base);
	write_32(content + 12, events);
	memcpy(content + 16, name, length);
	note_write(w->file, NOTE_SCHEMA, content, (uint32_t)(16 + length));
}

void log_file_lost(struct log_file_writer *w, uint64_t events, uint32_t reason)
{
	unsigned char content[12];

	write_64(content, events);
	write_32(content + 8, reason);
	note_write(w->file, NOTE_LOST, content, sizeof content);
}

static void time_put(struct log_file_writer *w, uint64_t ticks)
{
	unsigned char record[TIME_SIZE];

	time_write(record, ticks);
	fwrite(record, sizeof record, 1, w->file);
	w->upper = ticks >> TIME_LOW_BITS;
	w->timed = true;
}

void log_file_event(struct log_file_writer *w, uint32_t id, uint64_t ticks,
		    const unsigned char *record, size_t size)
{
	unsigned char word[4];

	if (!w->timed || ticks >> TIME_LOW_BITS != w->upper)
		time_put(w, ticks);
	write_32(word, id | (uint32_t)ticks << 12);
	fwrite(word, sizeof word, 1, w->file);
	fwrite(record + 4, size - 4, 1, w->file);
}

static bool log_file_close(struct log_file_writer *w)
{
	bool good = !ferror(w->file);

	if (fclose(w->file) != 0)
		good = false;
	w->file = NULL;
	return good;
}

bool log_file_end(struct log_file_writer *w)
{
	note_write(w->file, NOTE_END, NULL, 0);
	return log_file_close(w);
}

bool log_file_end_head(struct log_file_writer *w, uint32_t room)
{
	static const unsigned char zeros[4096];
	long used = ftell(w->file);

	if (used >= 0)
		note_write(w->file, NOTE_PAD, zeros, room - NOTE_HEADER - (uint32_t)used);
	return log_file_close(w) && used >= 0;
}
