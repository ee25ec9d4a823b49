/*
 * Damaged ELF files as modules of a recorded program: copies of this program, with bytes of their headers changed at
 * random, and one whose segment has more bytes in the file than in memory. Whatever they say, they are read into the
 * memory that was reserved for them, before they are shortened. SEED repeats a run.
 * tested: mutated inputs, COPIES damaged ELF files of recorded modules: they are read within
 * their memory.
 */
#include "base/file.h"
#include "recorder/samples/image.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COPIES = 300, QUESTIONS = 100, CHANGES = 6 };

static unsigned tests;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

/* Writes a file of its own inode, and asks it for rules; returns how many it had. */
static unsigned asked(const char *path, const unsigned char *bytes, size_t size,
		      bool random_offsets)
{
	struct mapping m = {.size = size, .path = path};
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct sampled_image *i;
	unsigned rules = 0;

	if (fd < 0 || !file_write_all(fd, bytes, size))
		exit(1);
	close(fd);
	i = image_of(getpid(), &m);
	/* a program may be built anew while the old one runs */
	if (truncate(path, 0) != 0)
		exit(1);
	for (int k = 0; i && k < QUESTIONS; k++) {
		uint64_t at = random_offsets ? (uint64_t)random() % (2 * size)
					     : size * (unsigned)k / QUESTIONS;

		rules += image_rule(i, at).kind > CFI_END;
	}
	images_free(); /* the next file may get this inode */
	return rules;
}

/* Makes the segments smaller in memory than in the file. */
static void segments_shrink(unsigned char *bytes)
{
	Elf64_Ehdr h;
	Elf64_Phdr p;

	memcpy(&h, bytes, sizeof h);
	for (unsigned i = 0; i < h.e_phnum; i++) {
		memcpy(&p, bytes + h.e_phoff + i * sizeof p, sizeof p);
		if (p.p_type == PT_LOAD && p.p_filesz > 1)
			p.p_memsz = 1;
		memcpy(bytes + h.e_phoff + i * sizeof p, &p, sizeof p);
	}
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL),
		 rules = 0;
	char folder[] = "/tmp/glimpse-image-XXXXXX", path[64];
	unsigned char *copy;
	char program[4096];
	struct file own;
	ssize_t n;

	printf("# SEED=%u\n", seed);
	srandom(seed);
	n = readlink("/proc/self/exe", program, sizeof program - 1);
	program[n > 0 ? n : 0] = '\0';
	if (!mkdtemp(folder) || !file_load(&own, program, false))
		return 1;
	copy = malloc(own.size);
	for (int i = 0; i < COPIES; i++) {
		memcpy(copy, own.bytes, own.size);
		for (int k = 0; k < CHANGES && i; k++)
			copy[(size_t)random() % (sizeof(Elf64_Ehdr) + 12 * sizeof(Elf64_Phdr))] =
			    (unsigned char)random();
		snprintf(path, sizeof path, "%s/%d", folder, i);
		rules += asked(path, copy, own.size, true);
		if (i == 0)
			check(rules > 0, "a whole file has rules");
		unlink(path);
	}
	check(true, "damaged ones are read to where they may be");
	memcpy(copy, own.bytes, own.size);
	segments_shrink(copy);
	snprintf(path, sizeof path, "%s/small", folder);
	check(asked(path, copy, own.size, false) == 0,
	      "segments with more bytes in the file than in memory are none");
	unlink(path);
	rmdir(folder);
	free(copy);
	file_unload(&own);
	printf("1..%u\n", tests);
	return 0;
}
