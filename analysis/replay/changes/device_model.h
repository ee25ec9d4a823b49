/* Computes how long a device takes for a request: a latency, and the time of each byte. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_DEVICE_MODEL_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_DEVICE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct device_model {
	double bandwidth; /* bytes a second; 0: no device is given */
	int64_t latency;  /* ns */
	bool all;         /* it serves also what did not wait in the recorded run */
};

static inline bool device_is_given(const struct device_model *d)
{
	return d->bandwidth > 0;
}

/* Returns the time of a request, ns. */
int64_t device_time(const struct device_model *d, uint64_t bytes);

/* Parses 200MB/s, 200MB/s,0.1ms and 200MB/s,0.1ms,all. Returns false for any other text. */
bool device_parse(const char *text, struct device_model *d);

#endif
