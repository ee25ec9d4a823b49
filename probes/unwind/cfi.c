/* Reads .eh_frame: DWARF 5, section 6.4, with the encodings that Linux uses. */
#include "probes/unwind/cfi.h"
#include "probes/unwind/cfi_expression.h"

#define WORD 8
#define STATES 8 /* remembered at once */

/* ---- Addresses ------------------------------------------------------------------------------- */

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
		int32_t start, entry; /* from the header */
	} table[];
};

/* Returns the bytes of a table from a place in it on; none if that is not in it. */
static struct bytes bytes_from(const struct cfi_table *t, uintptr_t at)
{
	if (at < t->from || at > t->to)
		at = t->to;
	return (struct bytes){(const uint8_t *)at, (const uint8_t *)t->to};
}

/* Returns how many bytes of the header can be read. */
static size_t header_size(const struct cfi_table *t)
{
	uintptr_t at = (uintptr_t)t->header;

	return at && at % _Alignof(struct header) == 0 && at < t->header_end ? t->header_end - at
									     : 0;
}

static bool header_is_whole(const struct cfi_table *t)
{
	const struct header *h = t->header;
	size_t size = header_size(t);

	return size >= sizeof *h && (size - sizeof *h) / sizeof *h->table >= h->count;
}

uintptr_t cfi_frames(const struct cfi_table *t)
{
	const struct header *h = t->header;

	/* every linker writes it from here */
	if (header_size(t) < sizeof *h || h->frame_encoding != (ENCODED_FROM_HERE | ENCODED_SDATA4))
		return 0;
	return (uintptr_t)&h->frame + (uintptr_t)(int64_t)h->frame;
}

/* Returns the last entry that begins at `pc` or before; 0: none. */
static uintptr_t entry_search(const struct cfi_table *t, uintptr_t pc)
{
	const struct header *h = t->header;
	int64_t want = (int64_t)(pc - (uintptr_t)h);
	uint32_t low = 0, high;

	/* The encodings that every linker writes: lengths of 4 bytes, addresses from the header. */
	if (!header_is_whole(t) || h->version != 1 || h->count_encoding != 0x03 ||
	    h->table_encoding != 0x3b)
		return 0;
	if ((h->frame_encoding & 0x0f) != ENCODED_SDATA4 &&
	    (h->frame_encoding & 0x0f) != ENCODED_UDATA4)
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
struct cfi_function {
	struct bytes shared, own;
	uintptr_t start, length;
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_register;
	uint8_t encoding;
	bool known;  /* we understand it */
	bool signal; /* the kernel made the frame, as a signal interrupted its caller */
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
static void shared_read(struct cfi_function *f, const struct cfi_table *t, uintptr_t entry)
{
	struct bytes b = entry_bytes(t, entry), letters;
	uint8_t version;

	bytes_skip(&b, 4);
	version = (uint8_t)bytes_fixed(&b, 1);
	letters = (struct bytes){b.at, b.at};
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
		else if (*letters.at == 'S')
			f->signal = true;
		else
			f->known = *letters.at == 'B';
	}
	f->known &= encoding_known(f->encoding);
	f->shared = b;
}

/* Reads the entry of a function (FDE). */
static struct cfi_function function_read(const struct cfi_table *t, uintptr_t entry)
{
	struct bytes b = entry_bytes(t, entry);
	uintptr_t here = (uintptr_t)b.at;
	struct cfi_function f = {0};
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

enum where {
	WHERE_SAME,
	WHERE_AT, /* offset is from the end of the frame */
	WHERE_AT_SP,
	WHERE_AT_FP,
	WHERE_UNKNOWN,
	WHERE_UNDEFINED,
};

struct register_rule {
	enum where where;
	int64_t offset;
};

struct cfi_state {
	enum cfi_kind kind; /* CFI_END: we do not understand where the frame ends */
	uint64_t cfa_register;
	int64_t cfa, add;
	struct register_rule fp, ra;
};

struct cfi_machine {
	const struct cfi_function *f;
	struct cfi_state now, start;
	struct cfi_state kept[STATES];
	unsigned int nkept;
	uintptr_t at, pc; /* the address that was reached, and the last one that is wanted */
};

static void place_set(struct cfi_machine *m, uint64_t number, enum where where, int64_t offset)
{
	struct register_rule place = {where, offset};

	if (number == REGISTER_FP)
		m->now.fp = place;
	else if (number == m->f->return_register)
		m->now.ra = place;
}

static void place_restore(struct cfi_machine *m, uint64_t number)
{
	if (number == REGISTER_FP)
		m->now.fp = m->start.fp;
	else if (number == m->f->return_register)
		m->now.ra = m->start.ra;
}

static void cfa_set(struct cfi_state *s, uint64_t number, int64_t offset)
{
	s->kind = number == REGISTER_SP ? CFI_SP : number == REGISTER_FP ? CFI_FP : CFI_END;
	s->cfa_register = number;
	s->cfa = offset;
	s->add = 0;
}

/* Reads the length of an expression and returns its bytes. */
static struct bytes expression_bytes(struct bytes *b)
{
	uint64_t length = bytes_uleb(b);
	struct bytes e = *b;

	bytes_skip(b, length);
	e.end = b->at;
	return e;
}

static void cfa_expression(struct cfi_machine *m, struct bytes *b)
{
	struct cfi_value value = cfi_expression(expression_bytes(b), m->pc);
	struct cfi_state *s = &m->now;

	s->kind = value.base == CFI_BASE_SP      ? CFI_SP
		  : value.base == CFI_BASE_FP    ? CFI_FP
		  : value.base == CFI_BASE_AT_SP ? CFI_AT_SP
		  : value.base == CFI_BASE_AT_FP ? CFI_AT_FP
						 : CFI_END;
	s->cfa = s->kind >= CFI_AT_SP ? value.offset : value.add;
	s->add = s->kind >= CFI_AT_SP ? value.add : 0;
}

/* A register is stored at the address that an expression gives. */
static void place_expression(struct cfi_machine *m, struct bytes *b, uint64_t number)
{
	struct cfi_value value = cfi_expression(expression_bytes(b), m->pc);

	if (value.base == CFI_BASE_SP)
		place_set(m, number, WHERE_AT_SP, value.add);
	else if (value.base == CFI_BASE_FP)
		place_set(m, number, WHERE_AT_FP, value.add);
	else
		place_set(m, number, WHERE_UNKNOWN, 0);
}

/* Instructions of two operands or less that are about where the frame ends, and states. */
static void frame_instruction(struct cfi_machine *m, struct bytes *b, uint8_t op)
{
	uint64_t number;

	switch (op) {
	case 0x0a: /* remember_state */
		if (m->nkept < STATES)
			m->kept[m->nkept++] = m->now;
		else
			bytes_end(b);
		break;
	case 0x0b: /* restore_state */
		if (m->nkept)
			m->now = m->kept[--m->nkept];
		break;
	case 0x0c: /* def_cfa */
		number = bytes_uleb(b);
		cfa_set(&m->now, number, (int64_t)bytes_uleb(b));
		break;
	case 0x0d: /* def_cfa_register */
		cfa_set(&m->now, bytes_uleb(b), m->now.cfa);
		break;
	case 0x0e: /* def_cfa_offset */
		cfa_set(&m->now, m->now.cfa_register, (int64_t)bytes_uleb(b));
		break;
	case 0x12: /* def_cfa_sf */
		number = bytes_uleb(b);
		cfa_set(&m->now, number, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x13: /* def_cfa_offset_sf */
		cfa_set(&m->now, m->now.cfa_register, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x0f: /* def_cfa_expression */
		cfa_expression(m, b);
		break;
	case 0x2e: /* GNU_args_size */
		bytes_uleb(b);
		break;
	case 0x00: /* nop */
	case 0x2d: /* AARCH64_negate_ra_state */
		break;
	default: /* one that we do not know: nothing after it is certain */
		m->now.kind = CFI_END;
		m->at = UINTPTR_MAX;
	}
}

/* Instructions about where a register is; returns false if it is another one. */
static bool place_instruction(struct cfi_machine *m, struct bytes *b, uint8_t op)
{
	uint64_t number;

	if (op < 0x05 || (op > 0x09 && op != 0x10 && op != 0x11 && (op < 0x14 || op > 0x16)))
		return false;
	number = bytes_uleb(b);
	switch (op) {
	case 0x05: /* offset_extended */
		place_set(m, number, WHERE_AT, (int64_t)bytes_uleb(b) * m->f->data_align);
		break;
	case 0x11: /* offset_extended_sf */
		place_set(m, number, WHERE_AT, bytes_sleb(b) * m->f->data_align);
		break;
	case 0x06: /* restore_extended */
		place_restore(m, number);
		break;
	case 0x08: /* same_value */
		place_set(m, number, WHERE_SAME, 0);
		break;
	case 0x07: /* undefined */
		place_set(m, number, WHERE_UNDEFINED, 0);
		break;
	case 0x10: /* expression */
		place_expression(m, b, number);
		break;
	case 0x16: /* val_expression */
		expression_bytes(b);
		place_set(m, number, WHERE_UNKNOWN, 0);
		break;
	default: /* register, val_offset, val_offset_sf */
		bytes_uleb(b);
		place_set(m, number, WHERE_UNKNOWN, 0);
	}
	return true;
}

/* Runs the instructions for all addresses up to the wanted one. */
static void instructions_run(struct cfi_machine *m, struct bytes b)
{
	while (b.at < b.end && m->at <= m->pc) {
		uint8_t byte = *b.at++, low = byte & 0x3f;

		switch (byte >> 6) {
		case 1: /* advance_loc */
			m->at += low * m->f->code_align;
			continue;
		case 2: /* offset */
			place_set(m, low, WHERE_AT, (int64_t)bytes_uleb(&b) * m->f->data_align);
			continue;
		case 3: /* restore */
			place_restore(m, low);
			continue;
		}
		if (byte == 0x01) /* set_loc */
			m->at = bytes_address(&b, m->f->encoding, true);
		else if (byte >= 0x02 && byte <= 0x04) /* advance_loc1, 2, 4 */
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

/* The registers of what a signal interrupted are stored beside its stack pointer. */
static struct cfi_rule rule_of_signal(const struct cfi_state *s)
{
	if (s->kind != CFI_AT_SP || s->add || s->ra.where != WHERE_AT_SP ||
	    s->fp.where != WHERE_AT_SP || !words_fit(s->cfa, 21) || !words_fit(s->ra.offset, 15) ||
	    !words_fit(s->fp.offset, 15))
		return (struct cfi_rule){.kind = CFI_END};
	return (struct cfi_rule){.kind = CFI_SIGNAL,
				 .cfa = s->cfa / WORD,
				 .ra = s->ra.offset / WORD,
				 .fp = s->fp.offset / WORD};
}

/*
 * Where the frame pointer is that of an aligned frame, it leads to the caller's. gcc leaves that
 * rule as it is for the return, where the frame has been left and the register is the caller's.
 */
static bool fp_is_stored(const struct cfi_state *s)
{
	return s->fp.where == WHERE_AT || (s->fp.where == WHERE_AT_FP && s->kind != CFI_SP);
}

static struct cfi_rule rule_of(const struct cfi_state *s)
{
	bool stored = fp_is_stored(s),
	     known = s->fp.where < WHERE_UNKNOWN && s->fp.where != WHERE_AT_SP;
	struct cfi_rule rule = {.kind = CFI_END};

	if (s->ra.where == WHERE_UNDEFINED)
		rule.kind = CFI_OUTERMOST;
	if (s->kind == CFI_END || s->ra.where != WHERE_AT || !known)
		return rule;
	if (!words_fit(s->cfa, 21) || !words_fit(s->ra.offset, 15) ||
	    !words_fit(s->fp.offset, 15) || !words_fit(s->add, 7) || s->add < 0)
		return rule;
	rule.cfa = s->cfa / WORD;
	rule.add = (uint64_t)s->add / WORD;
	rule.ra = s->ra.offset / WORD;
	rule.fp = stored ? s->fp.offset / WORD : CFI_FP_SAME;
	rule.fp_at_fp = stored && s->fp.where == WHERE_AT_FP;
	rule.kind = s->kind;
	return rule;
}

/* Returns the rule at an address, of the function whose entry it is. */
static struct cfi_rule rule_in(struct cfi_function f, uintptr_t pc)
{
	struct cfi_machine m = {.f = &f, .at = f.start, .pc = pc, .now = {.kind = CFI_END}};

	if (!f.known || pc - f.start >= f.length)
		return (struct cfi_rule){.kind = CFI_END};
	instructions_run(&m, f.shared);
	m.start = m.now;
	instructions_run(&m, f.own);
	return f.signal ? rule_of_signal(&m.now) : rule_of(&m.now);
}

size_t cfi_entries(const struct cfi_table *t, uintptr_t section, size_t size,
		   struct cfi_entry *entries, size_t room)
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
			struct cfi_function f = function_read(t, entry);

			if (f.known && n++ < room)
				entries[n - 1] = (struct cfi_entry){f.start, entry};
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

	return entry ? rule_in(function_read(t, entry), pc) : (struct cfi_rule){.kind = CFI_END};
}
