#include "trace/symbols/debug_link.h"
#include "base/array.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include "trace/symbols/elf_read.h"

/* Takes a name that leads to no other folder. */
static bool section_take(const struct elf_file *f, const Elf64_Shdr *s, struct debug_link *link)
{
	unsigned char bytes[sizeof link->name + 4] = "";
	size_t length, at;

	if (s->sh_type != SHT_PROGBITS || s->sh_size > sizeof bytes ||
	    !file_read_at(f->fd, bytes, s->sh_size, s->sh_offset))
		return false;
	length = strnlen((const char *)bytes, sizeof link->name);
	at = (length + 4) & ~(size_t)3;
	if (length == 0 || bytes[0] == '.' || memchr(bytes, '/', length) || at + 4 > s->sh_size)
		return false;
	memcpy(link->name, bytes, length + 1);
	link->checksum = read_swapped_32(bytes + at, f->swapped);
	return true;
}

bool debug_link_read(int fd, struct debug_link *link)
{
	struct elf_file f;
	Elf64_Shdr s;

	*link = (struct debug_link){0};
	return elf_read(&f, fd) && elf_section_named(&f, ".gnu_debuglink", &s) &&
	       section_take(&f, &s, link);
}

char *debug_link_path(const struct debug_link *link, const char *program, unsigned which)
{
	static const char *const within[] = {"", ".debug/"};
	const char *slash = strrchr(program, '/');

	if (!*link->name || !slash || which >= sizeof within / sizeof *within)
		return NULL;
	return text_format("%.*s/%s%s", (int)(slash - program), program, within[which], link->name);
}
