/*
 * Makes events of the records of an OTF2 archive that another tool wrote, such as Score-P. Regions
 * become calls, and those that wait or read files, also waits and io; messages, collective
 * operations, locks and threads become causes.
 */
#ifndef GLIMPSE_FORMATS_OTF2_RECORDS_H
#define GLIMPSE_FORMATS_OTF2_RECORDS_H

#include "formats/logs_named.h"
#include "formats/otf2_archive.h"

/* A region that is open in the location that is read. */
struct otf2_open {
	OTF2_RegionRef region;
	/* What has let it go on: the last message that came in it, its collective operation. */
	uint32_t channel, comm;
	uint64_t message, round;
};

struct otf2_records {
	struct otf2_archive *archive;
	struct logs *logs;
	const struct logs_event *enter, *leave, *wait_begin, *wait_end, *io_begin, *io_end, *send,
	    *receive, *collective_begin, *collective_end, *acquire, *release, *create, *begin,
	    *wait, *end;
	struct named_types named; /* metrics, parameters */
	struct hash_table counts; /* in nth, by what is counted */
	VECTOR(uint64_t) nth;
	struct hash_table channels;
	uint32_t nchannels;
	/* Of the location that is read: */
	struct otf2_location *location;
	VECTOR(struct otf2_open) open;
	int64_t collective_time;      /* of the last begin of a collective operation */
	uint64_t unbalanced, unended; /* ends of regions that were not open; the opposite */
	uint64_t read;                /* records that became events */
	bool failed;
};

/* Returns false after a report to diag. */
bool otf2_records_begin(struct otf2_records *r, struct otf2_archive *a, struct logs *l);
/*
 * Returns the callbacks for all records that are read, whose context is r; the caller deletes them.
 */
OTF2_EvtReaderCallbacks *otf2_records_callbacks(void);
/* The records that follow are of a location. */
void otf2_records_location(struct otf2_records *r, struct otf2_location *l);
/* If `good`, warns of what is wrong with the records. */
void otf2_records_end(struct otf2_records *r, bool good);

#endif
