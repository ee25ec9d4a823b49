/* Reads .eh_frame: DWARF 5, section 6.4, with the encodings that Linux uses. */
#include "probes/unwind/cfi.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
enum { REGISTER_FP = 6, REGISTER_SP = 7 };
#else   /* aarch64 */
enum { REGISTER_FP = 29, REGISTER_SP = 31 };
#endif

#define WORD 8
#define STATES 8        /* remembered at once */

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Bytes that are being read; an error moves `at` to the end. */
struct bytes {
	const uint8_t *at, *end;
};

static void bytes_end(struct bytes *b)
{
	b->at = b->end;
}

static bool bytes_have(struct bytes *b, size_t size)
{
	if ((size_t)(b->end - b->at) >= size)
		return true;
	bytes_end(b);
	return false;
}

static void bytes_skip(struct bytes *b, uint64_t size)
{
	if (bytes_have(b, size))
		b->at += size;
}

static uint64_t bytes_fixed(struct bytes *b, size_t size)
{
	uint64_t value = 0;

	if (!bytes_have(b, size))
		return 0;
	memcpy(&value, b->at, size);
	b->at += size;
	return value;
}

static uint64_t bytes_uleb(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; bytes_have(b, 1); shift += 7) {
		uint8_t byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static int64_t bytes_sleb(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; bytes_have(b, 1);) {
		uint8_t byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && byte & 0x40)
			value |= ~UINT64_C(0) << shift;
		break;
	}
	return (int64_t)value;
}

#define ENCODED_ABSOLUTE 0x00
#define ENCODED_UDATA4 0x03
#define ENCODED_SDATA4 0x0b
#define ENCODED_SDATA8 0x0c
#define ENCODED_FROM_HERE 0x10

static bool encoding_known(uint8_t encoding)
{
	uint8_t format = encoding & 0x0f, base = encoding & 0xf0;

	return (format == ENCODED_ABSOLUTE || format == ENCODED_UDATA4 ||
		format == ENCODED_SDATA4 || format == ENCODED_SDATA8) &&
	       (base == 0 || base == ENCODED_FROM_HERE);
}

/* Reads an address of a known encoding; `relative` is false for what is a length. */
static uintptr_t bytes_address(struct bytes *b, uint8_t encoding, bool relative)
{
	uintptr_t base = relative && encoding & ENCODED_FROM_HERE ? (uintptr_t)b->at : 0;

	switch (encoding & 0x0f) {
	case ENCODED_UDATA4:
		return base + bytes_fixed(b, 4);
	case ENCODED_SDATA4:
		return base + (uintptr_t)(int64_t)(int32_t)bytes_fixed(b, 4);
	default:
		return base + bytes_fixed(b, 8);
	}
}

/* ---- From an address to its entry ------------------------------------------------------------ */

struct header {
	uint8_t version, frame_encoding, count_encoding, table_encoding;
	int32_t frame;
	uint32_t count;
	struct {
		int32_t start, entry;   /* from the header */
	} table[];
};

/* Returns the bytes of a table from a place in it on; none if that is not in it. */
static struct bytes bytes_from(const struct cfi_table *t, uintptr_t at)
{
	if (at < t->from || at > t->to)
		at = t->to;
	return (struct bytes){ (const uint8_t *)at, (const uint8_t *)t->to };
}

static bool header_is_whole(const struct cfi_table *t)
{
	const struct header *h = t->header;
	struct bytes b = bytes_from(t, (uintptr_t)h);

	return h && (uintptr_t)h % _Alignof(struct header) == 0 && (size_t)(b.end - b.at) >= sizeof *h &&
	       (size_t)(b.end - b.at - sizeof *h) / sizeof *h->table >= h->count;
}

/* Returns the last entry that begins at `pc` or before; 0: none. */
static uintptr_t entry_search(const struct cfi_table *t, uintptr_t pc)
{
	const struct header *h = t->header;
	int64_t want = (int64_t)(pc - (uintptr_t)h);
	uint32_t low = 0, high;

	/* The encodings that every linker writes: lengths of 4 bytes, addresses from the header. */
	if (!header_is_whole(t) || h->version != 1 || h->count_encoding != 0x03 || h->table_encoding != 0x3b)
		return 0;
	if ((h->frame_encoding & 0x0f) != ENCODED_SDATA4 && (h->frame_encoding & 0x0f) != ENCODED_UDATA4)
		return 0;
	for (high = h->count; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (h->table[middle].start <= want)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (uintptr_t)h + (uintptr_t)(int64_t)h->table[low - 1].entry : 0;
}

/* The instructions for one function, and what they need. */
struct function {
	struct bytes shared, own;
	uintptr_t start, length;
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_register;
	uint8_t encoding;
	bool known;             /* we understand it, and it is no frame of a signal */
};

/* Begins to read an entry: its content after the length. */
static struct bytes entry_bytes(const struct cfi_table *t, uintptr_t entry)
{
	struct bytes b = bytes_from(t, entry);
	uint32_t length = (uint32_t)bytes_fixed(&b, 4);

	if (length == UINT32_MAX || length > (size_t)(b.end - b.at))
		length = 0;
	b.end = b.at + length;
	return b;
}

/* Reads what the functions of a compilation unit share (CIE). */
static void shared_read(struct function *f, const struct cfi_table *t, uintptr_t entry)
{
	struct bytes b = entry_bytes(t, entry), letters;
	uint8_t version;

	bytes_skip(&b, 4);
	version = (uint8_t)bytes_fixed(&b, 1);
	letters = (struct bytes){ b.at, b.at };
	while (bytes_fixed(&b, 1))
		letters.end++;
	f->code_align = bytes_uleb(&b);
	f->data_align = bytes_sleb(&b);
	f->return_register = version == 1 ? bytes_fixed(&b, 1) : bytes_uleb(&b);
	f->encoding = ENCODED_ABSOLUTE;
	f->known = letters.at < letters.end && *letters.at++ == 'z';
	bytes_uleb(&b);
	for (; letters.at < letters.end && f->known; letters.at++) {
		if (*letters.at == 'R')
			f->encoding = (uint8_t)bytes_fixed(&b, 1);
		else if (*letters.at == 'L')
			bytes_skip(&b, 1);
		else if (*letters.at == 'P')
			bytes_address(&b, (uint8_t)bytes_fixed(&b, 1), false);
		else
			f->known = *letters.at == 'B';
	}
	f->known &= encoding_known(f->encoding);
	f->shared = b;
}

/* Reads the entry of a function (FDE). */
static struct function function_read(const struct cfi_table *t, uintptr_t entry)
{
	struct bytes b = entry_bytes(t, entry);
	uintptr_t here = (uintptr_t)b.at;
	struct function f = { 0 };
	uint32_t back = (uint32_t)bytes_fixed(&b, 4);

	if (!back)
		return f;
	shared_read(&f, t, here - back);
	if (!f.known)
		return f;
	f.start = bytes_address(&b, f.encoding, true);
	f.length = bytes_address(&b, f.encoding, false);
	bytes_skip(&b, bytes_uleb(&b));
	f.own = b;
	return f;
}

/* ---- From the instructions to a rule --------------------------------------------------------- */

enum where { WHERE_SAME, WHERE_AT, WHERE_UNKNOWN, WHERE_UNDEFINED };

struct place {
	enum where where;
	int64_t offset;         /* from the end of the frame */
};

struct state {
	enum cfi_kind kind;     /* CFI_END: we do not understand where the frame ends */
	uint64_t cfa_register;
	int64_t cfa, add;
	struct place fp, ra;
};

struct machine {
	const struct function *f;
	struct state now, start;
	struct state kept[STATES];
	unsigned int nkept;
	uintptr_t at;
	uintptr_t pc;           /* the address that is asked about */
};

static void place_set(struct machine *m, uint64_t number, enum where where, int64_t offset)
{
	struct place place = { where, offset };

	if (number == REGISTER_FP)
		m->now.fp = place;
	else if (number == m->f->return_register)
		m->now.ra = place;
}

static void place_restore(struct machine *m, uint64_t number)
{
	if (number == REGISTER_FP)
		m->now.fp = m->start.fp;
	else if (number == m->f->return_register)
		m->now.ra = m->start.ra;
}

static void cfa_set(struct state *s, uint64_t number, int64_t offset)
{
	s->kind = number == REGISTER_SP ? CFI_SP : number == REGISTER_FP ? CFI_FP : CFI_END;
	s->cfa_register = number;
	s->cfa = offset;
	s->add = 0;
}

/*
 * The expression that linkers write for the procedure linkage table of x86-64: whether an entry has pushed its number
 * follows from where in its 16 bytes the instruction is.
 */
static bool linkage_expression(struct state *s, struct bytes e, uintptr_t pc)
{
#if defined(__x86_64__)
	/* sp + 8 + ((pc & 15) >= number) << 3 */
	static const uint8_t before[] = { 0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a };
	static const uint8_t after[] = { 0x2a, 0x33, 0x24, 0x22 };
	const uint8_t *number = e.at + sizeof before;

	if ((size_t)(e.end - e.at) != sizeof before + 1 + sizeof after ||
	    memcmp(e.at, before, sizeof before) || memcmp(number + 1, after, sizeof after) ||
	    *number < 0x30 || *number > 0x3f)
		return false;
	cfa_set(s, REGISTER_SP, (pc & 15) >= *number - 0x30u ? 16 : 8);
	return true;
#else
	(void)s;
	(void)e;
	(void)pc;
	return false;
#endif
}

/*
 * The expressions that compilers and assembly use: a stored address (the stack was aligned), and
 * one with a constant added.
 */
static void cfa_expression(struct state *s, struct bytes *b, uintptr_t pc)
{
	struct bytes e = *b;
	uint64_t length = bytes_uleb(&e);
	uint8_t op;

	*b = e;
	bytes_skip(b, length);
	e.end = b->at;
	if (linkage_expression(s, e, pc))
		return;
	op = (uint8_t)bytes_fixed(&e, 1);
	s->kind = op == 0x70 + REGISTER_SP   ? CFI_AT_SP
		  : op == 0x70 + REGISTER_FP ? CFI_AT_FP
					     : CFI_END;
	s->cfa = bytes_sleb(&e);
	s->add = 0;
	if (bytes_fixed(&e, 1) != 0x06) /* DW_OP_deref */
		s->kind = CFI_END;
	if (e.at < e.end && bytes_fixed(&e, 1) == 0x23) /* DW_OP_plus_uconst */
		s->add = (int64_t)bytes_uleb(&e);
	if (e.at < e.end)
		s->kind = CFI_END;
}

/* Instructions of two operands or less that are about where the frame ends, and states. */
static void frame_instruction(struct machine *m, struct bytes *b, uint8_t op)
{
	uint64_t number;

	switch (op) {
	case 0x0a:      /* remember_state */
		if (m->nkept < STATES)
			m->kept[m->nkept++] = m->now;
		else
			bytes_end(b);
		break;
	case 0x0b:      /* restore_state */
		if (m->nkept)
			m->now = m->kept[--m->nkept];
		break;
	case 0x0c:      /* def_cfa */
		number = bytes_uleb(b);
		cfa_set(&m->now, number, (int64_t)bytes_uleb(b));
		break;
	case 0x0d:      /* def_cfa_register */
		cfa_set(&m->now, bytes_uleb(b), m->now.cfa);
		break;
	case 0x0e:      /* def_cfa_offset */
		cfa_set(&m->now, m->now.cfa_register, (int64_t)bytes_uleb(b));
		break;
	case 0x12:      /* def_cfa_sf */
		number = bytes_uleb(b);
		cfa_set(&m->now, number, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x13:      /* def_cfa_offset_sf */
		cfa_set(&m->now, m->now.cfa_register, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x0f:      /* def_cfa_expression */
		cfa_expression(&m->now, b, m->pc);
		break;
	case 0x2e:      /* GNU_args_size */
		bytes_uleb(b);
		break;
	case 0x00:      /* nop */
	case 0x2d:      /* AARCH64_negate_ra_state */
		break;
	default:        /* one that we do not know: nothing after it is certain */
		m->now.kind = CFI_END;
		m->at = UINTPTR_MAX;
	}
}

/* Instructions about where a register is; returns false if it is another one. */
static bool place_instruction(struct machine *m, struct bytes *b, uint8_t op)
{
	uint64_t number;

	if (op < 0x05 || (op > 0x09 && op != 0x10 && op != 0x11 && (op < 0x14 || op > 0x16)))
		return false;
	number = bytes_uleb(b);
	switch (op) {
	case 0x05:      /* offset_extended */
		place_set(m, number, WHERE_AT, (int64_t)bytes_uleb(b) * m->f->data_align);
		break;
	case 0x11:      /* offset_extended_sf */
		place_set(m, number, WHERE_AT, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x06:      /* restore_extended */
		place_restore(m, number);
		break;
	case 0x08:      /* same_value */
		place_set(m, number, WHERE_SAME, 0);
		break;
	case 0x07:      /* undefined */
		place_set(m, number, WHERE_UNDEFINED, 0);
		break;
	case 0x10:      /* expression */
	case 0x16:      /* val_expression */
		bytes_skip(b, bytes_uleb(b));
		place_set(m, number, WHERE_UNKNOWN, 0);
		break;
	default:        /* register, val_offset, val_offset_sf */
		bytes_uleb(b);
		place_set(m, number, WHERE_UNKNOWN, 0);
	}
	return true;
}

/* Runs the instructions for all addresses up to `pc`. */
static void instructions_run(struct machine *m, struct bytes b, uintptr_t pc)
{
	while (b.at < b.end && m->at <= pc) {
		uint8_t byte = *b.at++, low = byte & 0x3f;

		switch (byte >> 6) {
		case 1:         /* advance_loc */
			m->at += low * m->f->code_align;
			continue;
		case 2:         /* offset */
			place_set(m, low, WHERE_AT, (int64_t)bytes_uleb(&b) * m->f->data_align);
			continue;
		case 3:         /* restore */
			place_restore(m, low);
			continue;
		}
		if (byte == 0x01)       /* set_loc */
			m->at = bytes_address(&b, m->f->encoding, true);
		else if (byte >= 0x02 && byte <= 0x04)  /* advance_loc1, 2, 4 */
			m->at += bytes_fixed(&b, (size_t)1 << (byte - 2)) * m->f->code_align;
		else if (!place_instruction(m, &b, byte))
			frame_instruction(m, &b, byte);
	}
}

static bool words_fit(int64_t bytes, int bits)
{
	return bytes % WORD == 0 && bytes / WORD > -(1 << (bits - 1)) &&
	       bytes / WORD < 1 << (bits - 1);
}

static struct cfi_rule rule_of(const struct state *s)
{
	struct cfi_rule rule = { .kind = CFI_END };

	if (s->ra.where == WHERE_UNDEFINED)
		rule.kind = CFI_OUTERMOST;
	if (s->kind == CFI_END || s->ra.where != WHERE_AT || s->fp.where >= WHERE_UNKNOWN)
		return rule;
	if (!words_fit(s->cfa, 22) || !words_fit(s->ra.offset, 15) || !words_fit(s->fp.offset, 15) ||
	    !words_fit(s->add, 8) || s->add < 0)
		return rule;
	rule.cfa = s->cfa / WORD;
	rule.add = (uint64_t)s->add / WORD;
	rule.ra = s->ra.offset / WORD;
	rule.fp = s->fp.where == WHERE_AT ? s->fp.offset / WORD : CFI_FP_SAME;
	rule.kind = s->kind;
	return rule;
}

/* Returns the rule at an address, of the function whose entry it is. */
static struct cfi_rule rule_in(struct function f, uintptr_t pc)
{
	struct machine m = { .f = &f, .at = f.start, .pc = pc, .now = { .kind = CFI_END } };

	if (!f.known || pc - f.start >= f.length)
		return (struct cfi_rule){ .kind = CFI_END };
	instructions_run(&m, f.shared, pc);
	m.start = m.now;
	instructions_run(&m, f.own, pc);
	return rule_of(&m.now);
}

size_t cfi_entries(const struct cfi_table *t, uintptr_t section, size_t size, struct cfi_entry *entries, size_t room)
{
	struct bytes all = bytes_from(t, section);
	size_t n = 0;

	if ((size_t)(all.end - all.at) > size)
		all.end = all.at + size;
	while (bytes_have(&all, 4)) {
		uintptr_t entry = (uintptr_t)all.at;
		uint32_t length = (uint32_t)bytes_fixed(&all, 4);
		struct bytes content = all;

		bytes_skip(&all, length);
		/* one that shares what others need has no start */
		if (length && bytes_fixed(&content, 4)) {
			struct function f = function_read(t, entry);

			if (f.known && n++ < room)
				entries[n - 1] = (struct cfi_entry){ f.start, entry };
		}
	}
	return n;
}

/* The same as entry_search(), of a table without a header. */
static uintptr_t entry_search_list(const struct cfi_table *t, uintptr_t pc)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->entries[middle].start <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? t->entries[low - 1].entry : 0;
}

struct cfi_rule cfi_rule_at(const struct cfi_table *t, uintptr_t pc)
{
	uintptr_t entry = t->header ? entry_search(t, pc) : entry_search_list(t, pc);

	return entry ? rule_in(function_read(t, entry), pc) : (struct cfi_rule){ .kind = CFI_END };
}
