/*
 * Times as other programs write them: the formats that the language names, doc/language.md. A time
 * without a zone is local time, by the environment variable TZ.
 */
#ifndef GLIMPSE_FORMATS_TIME_TEXT_H
#define GLIMPSE_FORMATS_TIME_TEXT_H

#include "spec/spec.h"

struct time_reader {
	enum time_format format;
	const char *pattern; /* of TIME_STRPTIME */
	int64_t latest;      /* seconds since 1970: times without a year are not later */
	/*
	 * Private: the difference of local time, of the quarter of an hour that was asked for last
	 */
	int64_t quarter, ahead;
};

/*
 * from: what an event says of its time; NULL: nothing. latest: seconds since 1970, such as the age
 * of the file.
 */
struct time_reader time_reader_make(const struct from *from, int64_t latest);
/* Reads a time as nanoseconds since 1970. Returns false if all of the text is no such time. */
bool time_text_read(struct time_reader *r, const char *text, size_t length, int64_t *ns);

#endif
