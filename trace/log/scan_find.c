/* Where a log goes on behind a damaged place. */
#include "trace/format/record.h"
#include "trace/log/scanning.h"

/*
 * So many records in a row, the first a TIME, must be intact for us to believe that a log goes on
 * behind a damaged place.
 */
#define BELIEVED 3
/*
 * How far, in units of 2^20 ticks, the time may have stepped back or gone on there: a second;
 * days.
 */
#define BACKWARD 4096
#define FORWARD (UINT64_C(1) << 30)

/* Whether enough records follow on each other here; the end of the log may come sooner. */
static bool believable(struct scan *s, const unsigned char *at, const unsigned char *end)
{
	for (int i = 0; i < BELIEVED && at < end; i++) {
		const struct id_row *row;
		size_t room = (size_t)(end - at), size;

		if (room < 4)
			return false;
		row = &s->ids->rows[RECORD_ID(read_32(at))];
		size = row->size ? event_size_within(row, at, room) : other_size(s, at, room);
		if (size == 0)
			return i > 1 && RECORD_ID(read_32(at)) == RECORD_NONE;
		at += size;
	}
	return true;
}

static bool time_believable(const struct scan *s, const unsigned char *at)
{
	uint64_t upper = time_upper(at) >> TIME_LOW_BITS;
	uint64_t known = (s->timed ? s->upper : s->log->files[0].pair.ticks) >> TIME_LOW_BITS;

	return upper + BACKWARD >= known && upper <= known + FORWARD;
}

unsigned char *records_find(struct scan *s, unsigned char *at, const unsigned char *end)
{
	for (; end - at >= TIME_SIZE; at += 4)
		if (RECORD_ID(read_32(at)) == RECORD_TIME && time_believable(s, at) &&
		    believable(s, at, end))
			return at;
	return (unsigned char *)end;
}
