/* Bytes as other formats keep them: deflated by zlib, as fast as it can. */
#ifndef GLIMPSE_FORMATS_DEFLATED_H
#define GLIMPSE_FORMATS_DEFLATED_H

#include <stddef.h>

enum deflated_form {
	DEFLATED_RAW,  /* without a header and a checksum */
	DEFLATED_GZIP, /* with those of gzip */
};

/* Returns n bytes deflated, which the caller frees, and sets *size. */
unsigned char *deflated(const unsigned char *bytes, size_t n, enum deflated_form form,
			size_t *size);

#endif
