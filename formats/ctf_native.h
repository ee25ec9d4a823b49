/*
 * Streams that glimpse export wrote, read without libbabeltrace2, which is many times slower: if
 * the metadata says exactly what the export says of the layout, it is known.
 */
#ifndef GLIMPSE_FORMATS_CTF_NATIVE_H
#define GLIMPSE_FORMATS_CTF_NATIVE_H

#include "formats/import.h"

enum ctf_native { NATIVE_OTHER, NATIVE_GOOD, NATIVE_FAILED };

/*
 * Reads the trace of a directory, if its layout is that of the export on a machine of this byte
 * order; else returns NATIVE_OTHER, and nothing was done. NATIVE_FAILED: after a report to diag.
 */
enum ctf_native ctf_native_read(struct import_input *in, struct logs *l, const char *directory);

#endif
