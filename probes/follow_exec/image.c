#include "probes/follow_exec/image.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

enum { HEADERS_MOST = 32, TEXT_MOST = 128, DYNAMIC_MOST = 64, NAME_MOST = 31, SCRIPTS_MOST = 4 };

/* Our own head: what is for another processor has another. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The loader of this process, which is the one of the programs that our libraries fit. */
static struct stat own_loader;

__attribute__((constructor(101))) static void loader_note(void)
{
	Dl_info info;

	if (!dladdr((const void *)getauxval(AT_BASE), &info) ||
	    system_stat(info.dli_fname, &own_loader) != 0)
		own_loader.st_ino = 0;
}

/* ---- one file ---- */

struct elf {
	int fd;
	ElfW(Ehdr) head;
	ElfW(Phdr) headers[HEADERS_MOST];
	size_t nheaders;
};

static bool elf_get(const struct elf *e, void *to, size_t size, size_t offset)
{
	return system_pread(e->fd, to, size, (off_t)offset) == (ssize_t)size;
}

static const ElfW(Phdr) * elf_header(const struct elf *e, ElfW(Word) type)
{
	for (size_t i = 0; i < e->nheaders; i++)
		if (e->headers[i].p_type == type)
			return &e->headers[i];
	return NULL;
}

/* Gets what a header's part of the file begins with; the rest of the text is zeros. */
static void elf_text(const struct elf *e, const ElfW(Phdr) * h, char text[TEXT_MOST])
{
	size_t n = h->p_filesz < TEXT_MOST ? h->p_filesz : TEXT_MOST - 1;

	memset(text, 0, TEXT_MOST);
	elf_get(e, text, n, h->p_offset);
}

/* Programs of Go have a note of that name. */
static bool elf_is_go(const struct elf *e)
{
	char text[TEXT_MOST];

	for (size_t i = 0; i < e->nheaders; i++)
		if (e->headers[i].p_type == PT_NOTE) {
			elf_text(e, &e->headers[i], text);
			if (memmem(text, sizeof text, "Go\0\0", 4))
				return true;
		}
	return false;
}

static size_t elf_offset(const struct elf *e, size_t address)
{
	for (size_t i = 0; i < e->nheaders; i++)
		if (e->headers[i].p_type == PT_LOAD &&
		    address - e->headers[i].p_vaddr < e->headers[i].p_filesz)
			return address - e->headers[i].p_vaddr + e->headers[i].p_offset;
	return 0;
}

/* Returns whether a library's name begins with one of these; names: NULL ends them. */
static bool is_one_of(const char *library, const char *const *names)
{
	for (; *names; names++)
		if (strncmp(library, *names, strlen(*names)) == 0)
			return true;
	return false;
}

/* What the libraries of AddressSanitizer and its like are called: by gcc, and by clang. */
static const char *const sanitizers[] = {
    "libasan.so",         "libhwasan.so",     "libtsan.so", "libclang_rt.asan",
    "libclang_rt.hwasan", "libclang_rt.tsan", NULL,
};
/* The runtimes of OpenMP: gcc's, clang's and Intel's. */
static const char *const openmp_runtimes[] = {"libgomp.so", "libomp.so", "libomp5.so",
					      "libiomp5.so", NULL};

/* Gets the entries of the dynamic section from number `from` on. Returns how many there are. */
static size_t dynamic_get(const struct elf *e, const ElfW(Phdr) * h, size_t from,
			  ElfW(Dyn) entries[DYNAMIC_MOST])
{
	size_t n = h->p_filesz / sizeof *entries;

	n = n > from ? n - from : 0;
	if (n > DYNAMIC_MOST)
		n = DYNAMIC_MOST;
	return elf_get(e, entries, n * sizeof *entries, h->p_offset + from * sizeof *entries) ? n
											      : 0;
}

/* Returns where in the file the names of the needed libraries are; 0: unknown. */
static size_t dynamic_strings(const struct elf *e, const ElfW(Phdr) * h)
{
	ElfW(Dyn) entries[DYNAMIC_MOST];
	size_t n;

	for (size_t from = 0; (n = dynamic_get(e, h, from, entries)) > 0; from += n)
		for (size_t i = 0; i < n; i++)
			if (entries[i].d_tag == DT_STRTAB)
				return elf_offset(e, entries[i].d_un.d_ptr);
	return 0;
}

static void needed_look(struct exec_image *i, const struct elf *e, size_t at)
{
	char name[NAME_MOST + 1] = "";

	if (system_pread(e->fd, name, NAME_MOST, (off_t)at) <= 0)
		return;
	if (is_one_of(name, sanitizers))
		i->kind = IMAGE_SANITIZED;
	i->java |= strcmp(name, "libjli.so") == 0;
	i->openmp |= is_one_of(name, openmp_runtimes);
}

/* Looks at the libraries that a program needs. */
static void all_needed_look(struct exec_image *i, const struct elf *e)
{
	const ElfW(Phdr) *h = elf_header(e, PT_DYNAMIC);
	size_t strings = h ? dynamic_strings(e, h) : 0, n;
	ElfW(Dyn) entries[DYNAMIC_MOST];

	for (size_t from = 0; strings && (n = dynamic_get(e, h, from, entries)) > 0; from += n)
		for (size_t k = 0; k < n; k++)
			if (entries[k].d_tag == DT_NEEDED)
				needed_look(i, e, strings + entries[k].d_un.d_val);
}

static bool loader_differs(const char *path)
{
	struct stat st;

	return own_loader.st_ino && system_stat(path, &st) == 0 &&
	       (st.st_dev != own_loader.st_dev || st.st_ino != own_loader.st_ino);
}

static enum image_kind elf_kind(struct elf *e, bool *go)
{
	const ElfW(Phdr) * interp;
	char loader[TEXT_MOST];

	if (e->head.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
		return IMAGE_WIDTH;
	if (e->head.e_machine != __ehdr_start.e_machine)
		return IMAGE_MACHINE;
	e->nheaders = e->head.e_phnum < HEADERS_MOST ? e->head.e_phnum : HEADERS_MOST;
	if (!elf_get(e, e->headers, e->nheaders * sizeof *e->headers, e->head.e_phoff))
		return IMAGE_UNKNOWN;
	*go = elf_is_go(e);
	interp = elf_header(e, PT_INTERP);
	if (!interp)
		return IMAGE_STATIC;
	elf_text(e, interp, loader);
	return loader_differs(loader) ? IMAGE_LOADER : IMAGE_DYNAMIC;
}

static void elf_look(struct exec_image *i, struct elf *e)
{
	i->kind = elf_kind(e, &i->go);
	if (i->kind == IMAGE_DYNAMIC)
		all_needed_look(i, e);
}

/* ---- scripts ---- */

/* Opens what runs a script and notes its name; -1: it is no script. */
static int script_open(int fd, char interpreter[TEXT_MOST])
{
	char text[TEXT_MOST], *name;
	ssize_t n = system_pread(fd, text, sizeof text - 1, 0);

	if (n < 3 || text[0] != '#' || text[1] != '!')
		return -1;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	name = text + 2 + strspn(text + 2, " \t");
	name[strcspn(name, " \t")] = '\0';
	strcpy(interpreter, name);
	return system_openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
}

/* Closes fd. */
static void file_look(struct exec_image *i, int fd)
{
	*i = (struct exec_image){.kind = IMAGE_UNKNOWN};
	for (int depth = 0; fd >= 0 && depth < SCRIPTS_MOST; depth++) {
		struct elf e = {.fd = fd};
		int next = -1;

		if (elf_get(&e, &e.head, sizeof e.head, 0) &&
		    memcmp(e.head.e_ident, ELFMAG, SELFMAG) == 0)
			elf_look(i, &e);
		else
			next = script_open(fd, i->interpreter);
		system_close(fd);
		fd = next;
	}
	if (fd >= 0)
		system_close(fd);
}

void image_look(struct exec_image *i, int fd, const char *path)
{
	int error = errno;

	file_look(i, path ? system_openat(fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
			  : system_fcntl(fd, F_DUPFD_CLOEXEC, 3));
	errno = error;
}

/* Only the kernel may look whether the path is empty: the pointer may be wrong. */
void image_look_at(struct exec_image *i, int fd, const char *path, int flags)
{
	int error = errno,
	    file = path ? system_openat(fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0) : -1;

	if (file < 0 && flags & AT_EMPTY_PATH)
		file = system_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	file_look(i, file);
	errno = error;
}

void image_look_named(struct exec_image *i, const char *file)
{
	const char *folders = getenv("PATH");
	char path[PATH_MAX];

	*i = (struct exec_image){.kind = IMAGE_UNKNOWN};
	if (strchr(file, '/')) {
		image_look(i, AT_FDCWD, file);
		return;
	}
	if (!folders)
		folders = "/bin:/usr/bin";
	for (size_t n;; folders += n + 1) {
		n = strcspn(folders, ":");
		if (n + strlen(file) + 2 <= sizeof path) {
			int error = errno;
			bool found;

			memcpy(path, folders, n);
			strcpy(stpcpy(path + n, n ? "/" : ""), file);
			found = system_faccessat(AT_FDCWD, path, X_OK) == 0;
			errno = error;
			if (found) {
				image_look(i, AT_FDCWD, path);
				return;
			}
		}
		if (!folders[n])
			return;
	}
}
