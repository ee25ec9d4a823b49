/*
 * Reads the definitions of an OTF2 archive, which its records refer to by numbers. Numbers that no
 * definition has stand for "" and the like: a damaged archive is read as far as it makes sense.
 */
#ifndef GLIMPSE_FORMATS_OTF2_ARCHIVE_H
#define GLIMPSE_FORMATS_OTF2_ARCHIVE_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"
#include <otf2/otf2.h>

/* What may wait in a region. */
enum otf2_waits { REGION_RUNS, REGION_WAITS, REGION_DOES_IO };

struct otf2_region_read {
	const char *name;
	enum otf2_waits waits;
};

struct otf2_location {
	OTF2_LocationRef self;
	OTF2_StringRef name;
	OTF2_LocationGroupRef group;
	int64_t number; /* of our thread; -1: not ours */
	uint64_t tid;
	uint64_t events; /* records that it has, as it says */
	struct logs_thread *thread;
};

struct otf2_process {
	OTF2_LocationGroupRef self;
	OTF2_StringRef name;
	uint32_t pid; /* 0: not known */
};

/* Of a group: its members. */
struct otf2_group {
	uint64_t *members;
	uint32_t n;
	bool locations; /* members are those of the communicators' ranks */
};

struct otf2_comm {
	const char *name;
	OTF2_GroupRef group;
};

struct otf2_metric {
	VECTOR(OTF2_MetricMemberRef) members;
	OTF2_MetricRef class; /* of an instance; else itself */
};

/* Definitions by their references. */
struct otf2_archive {
	struct import_input *in;
	struct hash_table numbers; /* of (kind, reference), in the array of the kind */
	VECTOR(char *) strings;
	VECTOR(OTF2_StringRef) attributes; /* their names */
	VECTOR(struct otf2_region_read) regions;
	VECTOR(struct otf2_location) locations;
	VECTOR(struct otf2_process) processes;
	VECTOR(struct otf2_group) groups;
	VECTOR(struct otf2_comm) comms;
	VECTOR(const char *) members; /* of metrics */
	VECTOR(struct otf2_metric) metrics;
	VECTOR(const char *) parameters;
	uint64_t resolution, offset, realtime;
	int64_t origin;   /* of the time 0, of an archive of ours */
	const char *spec; /* NULL: the archive is not ours */
};

/* Reads them all. Returns false after a report to diag. */
bool otf2_archive_read(struct otf2_archive *a, struct import_input *in, OTF2_Reader *reader);
void otf2_archive_free(struct otf2_archive *a);

const char *otf2_text(const struct otf2_archive *a, OTF2_StringRef string);
const char *otf2_attribute_name(const struct otf2_archive *a, OTF2_AttributeRef attribute);
const struct otf2_region_read *otf2_region_of(const struct otf2_archive *a, OTF2_RegionRef region);
struct otf2_location *otf2_location_of(const struct otf2_archive *a, OTF2_LocationRef location);
const char *otf2_comm_name(const struct otf2_archive *a, OTF2_CommRef comm);
/* Returns the location of a rank of a communicator; OTF2_UNDEFINED_LOCATION if there is none. */
OTF2_LocationRef otf2_rank_location(const struct otf2_archive *a, OTF2_CommRef comm, uint32_t rank);
/* Returns the name of a member of a metric. */
const char *otf2_metric_name(const struct otf2_archive *a, OTF2_MetricRef metric, uint8_t member);
const char *otf2_parameter_name(const struct otf2_archive *a, OTF2_ParameterRef parameter);

/* Returns a time of the archive in ns, never negative. */
int64_t otf2_time(const struct otf2_archive *a, OTF2_TimeStamp time);

#endif
