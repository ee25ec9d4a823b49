/*
 * Reads the buffers in which the kernel puts its records of threads (perf_event): one for each
 * processor, which the threads that run there share. Needs no privileges for processes of the same
 * user where kernel.perf_event_paranoid is 2 or less.
 */
#ifndef GLIMPSE_RECORDER_RINGS_H
#define GLIMPSE_RECORDER_RINGS_H

#include "base/array.h"
#include "recorder/recorder.h"
#include <linux/perf_event.h>
#include <string.h>

/* The buffer of one processor, and the event that it was made for; others are led into it. */
struct ring {
	int fd;
	uint32_t processor;
	struct perf_event_mmap_page *head; /* mapped: a page, then the buffer */
	unsigned char *bytes;
	uint64_t size, end; /* end: of the records that are being read */
};

/* Descriptors of events that write to the buffers of others: a VECTOR. */
struct ring_events {
	int *at;
	size_t n, room;
};

/* Zeros: none are open. */
struct rings {
	VECTOR(struct ring) of;
	bool wide; /* records are of all threads of the system: only some of them are observed */
	struct ring_events more;
	struct ring_events all; /* after rings_widen(): in the place of all others */
	bool slow;              /* some of `more` take long to close */
};

/* A record of the kernel, whole: a header, then what its type says. */
union ring_record {
	struct perf_event_header header;
	unsigned char bytes[65536];
};

/* What every record but a sample ends with, and a sample begins with. */
struct ring_record_end {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t processor, reserved;
};

static inline struct ring_record_end ring_record_end(const union ring_record *record)
{
	struct ring_record_end end;

	memcpy(&end, record->bytes + record->header.size - sizeof end, sizeof end);
	return end;
}

/* PERF_RECORD_FORK and PERF_RECORD_EXIT. */
struct ring_task {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

/* PERF_RECORD_LOST. */
struct ring_lost {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* Is given each record; it is valid during the call. */
typedef void ring_take(void *context, const union ring_record *record);

/*
 * Returns an event of software, without its kind. It records the begin, names, programs and end of
 * threads, also of threads that begin later. Each record has a struct ring_record_end.
 */
struct perf_event_attr rings_attributes(const struct recording *r);
/*
 * Opens an event for r->root and what it will start; for a process that runs already, one for each
 * of its threads. Each such thread needs a descriptor per processor. If there are many threads, and
 * the user may open them, the events are of all threads of the system instead (rings->wide): one
 * per processor. If there are too many, and the user may not, errno is EMFILE.
 *
 * Buffers have `most` bytes. If the system does not allow that, they have a half, a quarter and so
 * on, down to `least`. All buffers of a user share the memory that the user may lock
 * (kernel.perf_event_mlock_kb). half: others will open buffers, too, so no more than half of what
 * is allowed is taken. The recorder is woken when a quarter of one is full. Returns false with
 * errno set and *what set to what could not be done; nothing is open then.
 */
bool rings_open(struct rings *rings, struct perf_event_attr a, const struct recording *r,
		uint64_t most, uint64_t least, bool half, const char **what);
/* Opens one more event into the buffers; false: it cannot be, and nothing has changed. */
bool rings_add(struct rings *rings, struct perf_event_attr a, const struct recording *r);
/*
 * Replaces the events of threads, which are stopped, by one per processor for all threads of the
 * system, and sets rings->wide. a: what the rings were opened with. Records of the moment of change
 * may come twice. Returns false with nothing changed if the user may not open such events.
 */
bool rings_widen(struct rings *rings, struct perf_event_attr a);
/* Undoes rings_widen(). Records of other programs may still be in the buffers. */
void rings_narrow(struct rings *rings);
/* Ends recording for good; what is in the buffers can still be read. */
void rings_stop(struct rings *rings);
int rings_fds(const struct rings *rings, struct pollfd *fds, int room);
/*
 * Takes all records that there are, buffer after buffer. first: is given all of them before, but
 * for samples of stacks, which are long; NULL: nobody wants that.
 */
void rings_read(struct rings *rings, ring_take *first, ring_take *take, void *context);
void rings_close(struct rings *rings);

/* Returns what a user can do if rings_open() failed so. */
const char *rings_remedy(int error, const char *what);

#endif
