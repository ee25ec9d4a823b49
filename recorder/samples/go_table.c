#include "recorder/samples/go_table.h"
#include "probes/unwind/bytes.h"

#define WORD 8

/* See internal/abi/symtab.go and runtime/symtab.go of Go. */
#define MAGIC 0xfffffff1
enum { TOP_FRAME = 1, WRITES_SP = 2 };

/* What a table says of a function. */
struct go_function {
	uint64_t start; /* from the first one */
	uint32_t pcsp;  /* offset of the sizes of its frame, in pctab; 0: none */
	uint8_t flags;
};

static struct bytes bytes_at(const struct go_table *t, uint64_t offset)
{
	if (offset > t->size)
		offset = t->size;
	return (struct bytes){t->bytes + offset, t->bytes + t->size};
}

static uint32_t word32(const struct go_table *t, uint64_t offset)
{
	struct bytes b = bytes_at(t, offset);

	return (uint32_t)bytes_fixed(&b, 4);
}

/* Returns where a function begins, of n+1: the last one is the end. */
static uint64_t start_of(const struct go_table *t, uint64_t i)
{
	return word32(t, t->functions + i * 8);
}

/* Returns the number of the function that has an offset from the first one; n: none has it. */
static uint64_t function_search(const struct go_table *t, uint64_t offset)
{
	uint64_t low = 0, high = t->n;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (start_of(t, middle) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && offset < start_of(t, t->n) ? low - 1 : t->n;
}

static struct go_function function_read(const struct go_table *t, uint64_t i)
{
	uint64_t at = t->functions + word32(t, t->functions + i * 8 + 4);
	struct bytes flags = bytes_at(t, at + 41);

	return (struct go_function){start_of(t, i), word32(t, at + 16),
				    (uint8_t)bytes_fixed(&flags, 1)};
}

/*
 * Finds how many bytes of the stack a function has at an instruction; returns false if that is not
 * known.
 */
static bool size_find(const struct go_table *t, const struct go_function *f, uint64_t offset,
		      int64_t *size)
{
	struct bytes b = bytes_at(t, t->pctab + f->pcsp);
	uint64_t at = f->start;

	*size = -1;
	while (f->pcsp && b.at < b.end) {
		uint64_t change = bytes_uleb(&b);

		if (!change && at > f->start)
			return false;
		*size += (int32_t)((change >> 1) ^ -(change & 1));
		at += bytes_uleb(&b);
		if (offset < at)
			return *size >= 0 && *size % WORD == 0 && *size < WORD << 20;
	}
	return false;
}

struct cfi_rule go_table_rule(const struct go_table *t, uint64_t address)
{
	uint64_t offset = address - t->text, i = function_search(t, offset);
	struct cfi_rule rule = {.kind = CFI_END};
	struct go_function f;
	int64_t size;

	if (i == t->n)
		return rule;
	f = function_read(t, i);
	if (f.flags & TOP_FRAME)
		rule.kind = CFI_OUTERMOST;
	/* one that goes to another stack says nothing of it */
	if (f.flags & (TOP_FRAME | WRITES_SP) || !size_find(t, &f, offset, &size))
		return rule;
	/* what a function has of the stack begins with the frame pointer of its caller */
	return (struct cfi_rule){
	    .kind = CFI_SP, .cfa = size / WORD + 1, .ra = -1, .fp = size ? -2 : CFI_FP_SAME};
}

static bool entry_is_function(const struct go_table *t, uint64_t entry)
{
	uint64_t i = function_search(t, entry - t->text);

	return i < t->n && start_of(t, i) == entry - t->text;
}

bool go_table_open(struct go_table *t, const uint8_t *bytes, size_t size, uint64_t text,
		   uint64_t entry)
{
#if defined(__x86_64__)
	struct bytes b = {bytes, bytes + size};
	uint64_t magic = bytes_fixed(&b, 4), form = bytes_fixed(&b, 4), own_text;

	*t = (struct go_table){.bytes = bytes, .size = size};
	t->n = bytes_fixed(&b, 8);
	bytes_skip(&b, 8);
	own_text = bytes_fixed(&b, 8);
	t->text = own_text ? own_text : text;
	bytes_skip(&b, 3 * 8);
	t->pctab = bytes_fixed(&b, 8);
	t->functions = bytes_fixed(&b, 8);
	/* instructions of any length, addresses of 8 bytes */
	if (magic == MAGIC && form == 0x08010000 && t->pctab < size && t->functions < size &&
	    t->n < (size - t->functions) / 8 && (own_text || entry_is_function(t, entry)))
		return true;
#else
	(void)bytes, (void)size, (void)text, (void)entry;
#endif
	*t = (struct go_table){0};
	return false;
}
