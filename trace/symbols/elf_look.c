#include "trace/symbols/elf_look.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include "trace/symbols/elf_read.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* More is not looked at. */
enum { NOTES_MOST = 1 << 16 };
#define SIZE_MOST (UINT64_C(1) << 34)

int elf_open(const char *path)
{
	struct stat status;
	int fd;

	/* to open a device may have effects */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	fd = file_open_given(path);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_size <= SIZE_MOST)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Finds the build id among the notes of a segment. */
static void notes_look(int fd, uint64_t offset, uint64_t size, bool swapped, struct build_id *id)
{
	unsigned char notes[4096];

	if (size > NOTES_MOST)
		return;
	for (uint64_t at = 0; at + 16 <= size && id->n == 0;) {
		uint64_t room = size - at < sizeof notes ? size - at : sizeof notes, name, bytes;

		if (!file_read_at(fd, notes, room, offset + at))
			return;
		name = read_swapped_32(notes, swapped);
		bytes = read_swapped_32(notes + 4, swapped);
		if (read_swapped_32(notes + 8, swapped) == NT_GNU_BUILD_ID && name == 4 &&
		    !memcmp(notes + 12, "GNU", 4) && bytes <= sizeof id->bytes &&
		    16 + bytes <= room) {
			id->n = (unsigned)bytes;
			memcpy(id->bytes, notes + 16, bytes);
		}
		at += 12 + ((name + 3) & ~UINT64_C(3)) + ((bytes + 3) & ~UINT64_C(3));
	}
}

static void segment_look(const struct elf_file *f, const Elf64_Phdr *p, struct elf_look *look)
{
	if (p->p_type == PT_NOTE && look->id.n == 0)
		notes_look(f->fd, p->p_offset, p->p_filesz, f->swapped, &look->id);
	if (p->p_type != PT_LOAD || p->p_memsz == 0 || p->p_vaddr + p->p_memsz < p->p_vaddr)
		return;
	look->low = p->p_vaddr < look->low ? p->p_vaddr : look->low;
	look->high = p->p_vaddr + p->p_memsz > look->high ? p->p_vaddr + p->p_memsz : look->high;
}

bool elf_look(int fd, struct elf_look *look)
{
	struct elf_file f;

	*look = (struct elf_look){.low = UINT64_MAX};
	if (!elf_read(&f, fd))
		return false;
	for (unsigned i = 0; i < f.header.e_phnum; i++) {
		Elf64_Phdr segment;

		if (!elf_segment(&f, i, &segment))
			return false;
		segment_look(&f, &segment, look);
	}
	return look->low < look->high;
}

bool elf_build_id(int fd, struct build_id *id)
{
	struct elf_file f;
	Elf64_Shdr s;

	id->n = 0;
	if (!elf_read(&f, fd))
		return false;
	for (unsigned i = 0; i < f.header.e_shnum && id->n == 0; i++)
		if (elf_section(&f, i, &s) && s.sh_type == SHT_NOTE)
			notes_look(fd, s.sh_offset, s.sh_size, f.swapped, id);
	return id->n > 0;
}
