#include "trace/symbols/elf_look.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* More is not looked at. */
enum { SEGMENTS_MOST = 128, NOTES_MOST = 1 << 16 };
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

static uint16_t half(uint16_t n, bool swapped)
{
	return swapped ? __builtin_bswap16(n) : n;
}

static uint32_t word(uint32_t n, bool swapped)
{
	return swapped ? __builtin_bswap32(n) : n;
}

static uint64_t giant(uint64_t n, bool swapped)
{
	return swapped ? __builtin_bswap64(n) : n;
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

static void segment_look(int fd, const Elf64_Phdr *p, bool swapped, struct elf_look *look)
{
	uint64_t address = giant(p->p_vaddr, swapped), size = giant(p->p_memsz, swapped);

	if (word(p->p_type, swapped) == PT_NOTE && look->id.n == 0)
		notes_look(fd, giant(p->p_offset, swapped), giant(p->p_filesz, swapped), swapped,
			   &look->id);
	if (word(p->p_type, swapped) != PT_LOAD || size == 0 || address + size < address)
		return;
	look->low = address < look->low ? address : look->low;
	look->high = address + size > look->high ? address + size : look->high;
}

bool elf_look(int fd, struct elf_look *look)
{
	Elf64_Ehdr header;
	bool swapped;
	unsigned n;

	*look = (struct elf_look){.low = UINT64_MAX};
	if (!file_read_at(fd, &header, sizeof header, 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	swapped = (header.e_ident[EI_DATA] == ELFDATA2LSB) != (BYTE_ORDER == LITTLE_ENDIAN);
	n = half(header.e_phnum, swapped);
	if (half(header.e_phentsize, swapped) != sizeof(Elf64_Phdr) || n > SEGMENTS_MOST)
		return false;
	for (unsigned i = 0; i < n; i++) {
		Elf64_Phdr segment;

		if (!file_read_at(fd, &segment, sizeof segment,
				  giant(header.e_phoff, swapped) + i * sizeof segment))
			return false;
		segment_look(fd, &segment, swapped, look);
	}
	return look->low < look->high;
}
