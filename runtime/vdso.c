#include "runtime/vdso.h"
#include "runtime/system.h"
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

typedef int gettime_function(clockid_t clock, struct timespec *time);

#if SYSTEM_DIRECT

#if defined(__x86_64__)
#define GETTIME "__vdso_clock_gettime"
#else
#define GETTIME "__kernel_clock_gettime"
#endif

/* Tables of the image, of which no loader has changed the addresses. */
struct vdso_tables {
	const unsigned char *base; /* of its addresses */
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash, *gnu_hash;
};

static bool tables_find(struct vdso_tables *i, const ElfW(Dyn) * d)
{
	for (; d->d_tag != DT_NULL; d++) {
		const void *at = i->base + d->d_un.d_ptr;

		if (d->d_tag == DT_SYMTAB)
			i->symbols = at;
		else if (d->d_tag == DT_STRTAB)
			i->names = at;
		else if (d->d_tag == DT_HASH)
			i->hash = at;
		else if (d->d_tag == DT_GNU_HASH)
			i->gnu_hash = at;
	}
	return i->symbols && i->names && (i->hash || i->gnu_hash);
}

static bool image_read(struct vdso_tables *i, const unsigned char *at)
{
	const ElfW(Ehdr) *head = (const void *)at;
	const ElfW(Phdr) *headers = (const void *)(at + head->e_phoff);
	const ElfW(Phdr) *load = NULL, *dynamic = NULL;

	for (int k = 0; k < head->e_phnum; k++) {
		if (headers[k].p_type == PT_LOAD && !load)
			load = &headers[k];
		else if (headers[k].p_type == PT_DYNAMIC)
			dynamic = &headers[k];
	}
	if (!load || !dynamic)
		return false;
	i->base = at + load->p_offset - load->p_vaddr;
	return tables_find(i, (const void *)(at + dynamic->p_offset));
}

/*
 * Returns how many symbols there are: the older table says so, the newer one ends its last chain.
 */
static uint32_t symbols_count(const struct vdso_tables *i)
{
	const uint32_t *table = i->gnu_hash, *buckets, *chains;
	uint32_t last = 0;

	if (i->hash)
		return i->hash[1];
	buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
	chains = buckets + table[0];
	for (uint32_t k = 0; k < table[0]; k++)
		last = buckets[k] > last ? buckets[k] : last;
	if (last < table[1])
		return 0;
	while (!(chains[last - table[1]] & 1))
		last++;
	return last + 1;
}

static gettime_function *gettime_find(void)
{
	const unsigned char *at = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	struct vdso_tables i = { 0 };
	uint32_t n;

	if (!at || !image_read(&i, at))
		return system_clock_gettime;
	n = symbols_count(&i);
	for (uint32_t k = 0; k < n; k++) {
		const ElfW(Sym) *s = &i.symbols[k];

		if (s->st_shndx != SHN_UNDEF && strcmp(i.names + s->st_name, GETTIME) == 0)
			return (gettime_function *)(uintptr_t)(i.base + s->st_value);
	}
	return system_clock_gettime;
}

#else

static gettime_function *gettime_find(void)
{
	return clock_gettime;
}

#endif

int gl_vdso_gettime(clockid_t clock, struct timespec *time)
{
	static gettime_function *known;
	gettime_function *f = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!f) {
		f = gettime_find();
		__atomic_store_n(&known, f, __ATOMIC_RELAXED);
	}
	return f(clock, time);
}
