/*
 * Maps modules of recorded programs as their loaders lay them out: for the tables that unwind their
 * frames.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_IMAGE_H
#define GLIMPSE_RECORDER_SAMPLES_IMAGE_H

#include "probes/unwind/cfi.h"
#include "trace/symbols/elf_look.h"
#include <stdbool.h>
#include <sys/types.h>

/* What the kernel says of an executable mapping. */
struct mapping {
	uint64_t from, size, offset; /* in memory; in the file */
	uint32_t major, minor;       /* of the file's device; with inode 0: not known */
	uint64_t inode;
	const char *path;
};

struct sampled_image;

/*
 * Returns the image of the file that a process has mapped, NULL if it cannot be read, is no ELF
 * file of this machine, or is another file by now. An image is made once for each file and kept
 * until images_free().
 */
struct sampled_image *image_of(pid_t pid, const struct mapping *m);
void images_free(void);

/* Returns the file's build id; of no bytes if it has none, or it is the kernel's. */
const struct build_id *image_id(const struct sampled_image *i);
/*
 * Sets by how much addresses in the file exceed offsets of it, for the code in a range of these;
 * false: none is there.
 */
bool image_shift(const struct sampled_image *i, uint64_t offset, uint64_t size, uint64_t *shift);
/*
 * Returns whether the code at an offset of the file is the C library's function that waits for its
 * own locks alone, such as that of a FILE; false if that is not known.
 */
bool image_waits_inside(const struct sampled_image *i, uint64_t offset);
/* Returns the rule for the frame of an instruction at an offset of the file. */
struct cfi_rule image_rule(struct sampled_image *i, uint64_t offset);

#endif
