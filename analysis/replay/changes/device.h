/*
 * Models input and output as requests to devices with a bandwidth and a latency: which recorded
 * instances they serve, and for how long. Each change has a separate device.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_DEVICE_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_DEVICE_H

#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/recorded/model.h"

struct device_request {
	int64_t time, length; /* when it begins in the recorded run; what the device takes, ns */
	uint32_t device;      /* index */
};

struct device {
	uint32_t change;
	size_t instances,
	    requests;   /* that are named and have bytes; of them those that it serves */
	size_t without; /* that are named, and no event says of them how many bytes */
	uint64_t bytes; /* of the requests */
	int64_t busy;   /* their time in all, ns */
};

struct devices {
	VECTOR(struct device) all;
	VECTOR(struct device_request) requests; /* by thread, then time */
	size_t *first;                          /* of each thread, and one more */
	bool *served; /* by chosen span: its waiting for no other thread is the device's */
};

/*
 * Finds the requests of all changes that give a device. A request is an instance with a number of
 * bytes that waited for no other thread; or, if the model says all, that did not wait. Returns NULL
 * and sets *refusal to the reason, which the caller frees.
 */
struct devices *devices_of(const struct model *m, const struct span_choice *c,
			   const struct span_change *changes, char **refusal);
void devices_free(struct devices *d);

#endif
