#include "job.h"

#include "gzip.h"
#include "pgz_glimpse.h"
#include <errno.h>

static bool write_bytes(struct job *j, const void *bytes, size_t size)
{
	if (!output_write(j->output, bytes, size)) {
		job_fail(j, j->options->output, errno);
		return false;
	}
	j->packed += size;
	return true;
}

static bool write_header(struct job *j)
{
	unsigned char header[GZIP_HEADER];

	gzip_header(header, j->options->level);
	return write_bytes(j, header, sizeof header);
}

static bool write_trailer(struct job *j, unsigned long crc)
{
	unsigned char trailer[GZIP_TRAILER];

	gzip_trailer(trailer, crc, j->bytes);
	return write_bytes(j, trailer, sizeof trailer);
}

static struct block *next_finished(struct job *j, int number)
{
	struct block *b;

	NeedBlock_Stamp(number);
	b = sequence_take(&j->finished, number);
	GotBlock_Stamp(number);
	return b;
}

/* Takes the block, writes it and gives it back for the next. */
static bool write_block(struct job *j, struct block *b, unsigned long *crc)
{
	bool good;

	WriteBegin_Stamp(b->number);
	good = write_bytes(j, b->packed, b->packed_size);
	WriteEnd_Stamp(b->number);
	j->bytes += b->size;
	*crc = crc32_combine(*crc, b->crc, b->size);
	queue_put(&j->idle, b);
	return good;
}

void *writer_run(void *job)
{
	struct job *j = job;
	unsigned long crc = 0;
	bool good, last = false;

	glimpse_thread_name("writer");
	sem_post(&j->started);
	good = write_header(j);
	for (int number = 0; good && !last; number++) {
		struct block *b = next_finished(j, number);

		if (!b)
			return NULL;
		last = b->last;         /* the reader may have the block again when it is written */
		good = write_block(j, b, &crc);
	}
	if (good)
		write_trailer(j, crc);
	return NULL;
}
