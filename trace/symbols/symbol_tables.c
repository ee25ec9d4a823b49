#ifdef HAVE_LIBDW
#include "trace/symbols/symbol_tables.h"

/* More symbols of a table are not read. */
enum { SYMBOLS_MOST = 1 << 23 };

Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *is =
		    gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (is && !strcmp(is, name))
			return section;
	}
	return NULL;
}

static bool is_function(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* A function of unknown size, in assembler, ends with its section, unless another one begins. */
static uint64_t room_after(Elf *elf, GElf_Word section, uint64_t value)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(elf, section), &header) ||
	    !(header.sh_flags & SHF_EXECINSTR) || value - header.sh_addr >= header.sh_size)
		return 0;
	return header.sh_addr + header.sh_size - value;
}

/* Assembler may leave the type out. What other files call is a function, and no label in one. */
static bool may_be_function(const GElf_Sym *s)
{
	unsigned type = GELF_ST_TYPE(s->st_info);

	return is_function(type) || (type == STT_NOTYPE && GELF_ST_BIND(s->st_info) == STB_GLOBAL);
}

/* A table of symbols in a file. */
struct table {
	Elf *elf;
	uint64_t bias;
	Elf_Data *data;
	size_t n;
	size_t names; /* the section with the names */
};

static void symbol_read(const struct table *t, size_t number, const struct visitor *v)
{
	GElf_Sym symbol;
	const char *name = gelf_getsym(t->data, (int)number, &symbol)
			       ? elf_strptr(t->elf, t->names, symbol.st_name)
			       : NULL;
	unsigned type = name ? GELF_ST_TYPE(symbol.st_info) : STT_NOTYPE;
	bool variable = type == STT_OBJECT;
	struct image_symbol s;

	if (!name || (!may_be_function(&symbol) && !variable) || !*name ||
	    symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS)
		return;
	s = (struct image_symbol){.address = symbol.st_value + t->bias,
				  .size = symbol.st_size,
				  .name = name,
				  .global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
	s.guessed = s.size == 0 && !variable;
	if (s.guessed)
		s.size = room_after(t->elf, symbol.st_shndx, symbol.st_value);
	if (type == STT_NOTYPE && !s.size)
		return; /* of data */
	v->visit(v->context, &s, variable);
}

bool symbol_tables_read(Elf *elf, uint64_t bias, GElf_Word type, const struct visitor *v)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool found = false;

	while ((section = elf_nextscn(elf, section))) {
		struct table t = {.elf = elf, .bias = bias};

		if (!gelf_getshdr(section, &header) || header.sh_type != type ||
		    header.sh_entsize == 0 || !(t.data = elf_getdata(section, NULL)))
			continue;
		found = true;
		t.names = header.sh_link;
		t.n = header.sh_size / header.sh_entsize;
		for (size_t i = 1; i < t.n && i < SYMBOLS_MOST; i++)
			symbol_read(&t, i, v);
	}
	return found;
}

/* ---- the procedure linkage table ---- */

/* What stands between a program and the functions of libraries: an entry for each. */
struct linkage {
	GElf_Shdr entries;     /* .plt.sec, or else .plt */
	uint64_t first;        /* bytes before the first entry of a function */
	Elf_Data *relocations; /* .rela.plt: of entry i the symbol i */
	size_t nrelocations;
	Elf *elf;
	GElf_Shdr symbols;
	Elf_Data *symbol_data;
};

enum { LINKAGE_ENTRY = 16 };

static void linkage_section(struct linkage *l, Elf_Scn *section, const char *name,
			    const GElf_Shdr *header)
{
	Elf_Scn *symbols;

	if (!strcmp(name, ".plt.sec") || (!strcmp(name, ".plt") && l->entries.sh_size == 0)) {
		l->entries = *header;
		l->first = name[4] ? 0 : l->first;
	} else if (!strcmp(name, ".rela.plt") && header->sh_entsize) {
		symbols = elf_getscn(l->elf, header->sh_link);
		if (!gelf_getshdr(symbols, &l->symbols))
			return;
		l->relocations = elf_getdata(section, NULL);
		l->nrelocations = header->sh_size / header->sh_entsize;
		l->symbol_data = elf_getdata(symbols, NULL);
	}
}

static bool linkage_find(struct linkage *l)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	GElf_Shdr one;
	size_t names;

	if (!gelf_getehdr(l->elf, &header) || elf_getshdrstrndx(l->elf, &names) != 0)
		return false;
	l->first = header.e_machine == EM_AARCH64 ? 32 : 16;
	while ((section = elf_nextscn(l->elf, section))) {
		const char *name =
		    gelf_getshdr(section, &one) ? elf_strptr(l->elf, names, one.sh_name) : NULL;

		if (name)
			linkage_section(l, section, name, &one);
	}
	return (header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64) &&
	       l->entries.sh_size && l->relocations && l->symbol_data;
}

void linkage_read(Elf *elf, struct linkage_names *names, const struct visitor *v)
{
	struct linkage l = {.elf = elf};

	if (!linkage_find(&l))
		return;
	for (size_t i = 0; i < l.nrelocations && i < SYMBOLS_MOST &&
			   l.first + (i + 1) * LINKAGE_ENTRY <= l.entries.sh_size;
	     i++) {
		GElf_Rela relocation;
		GElf_Sym symbol;
		const char *name = NULL;

		if (gelf_getrela(l.relocations, (int)i, &relocation) &&
		    gelf_getsym(l.symbol_data, (int)GELF_R_SYM(relocation.r_info), &symbol))
			name = elf_strptr(l.elf, l.symbols.sh_link, symbol.st_name);
		if (!name || !*name)
			continue;
		*vector_add(&names->list) = text_format("%.4000s@plt", name);
		v->visit(v->context,
			 &(struct image_symbol){
			     .address = l.entries.sh_addr + l.first + i * LINKAGE_ENTRY,
			     .size = LINKAGE_ENTRY,
			     .name = names->list.at[names->list.n - 1],
			 },
			 false);
	}
}
#endif
