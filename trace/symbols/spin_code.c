#include "trace/symbols/spin_code.h"
#include <elf.h>
#include <stdint.h>
#include <string.h>

/* ---- x86-64: decoding ---- */

enum { RAX = 0, RSP = 4, RBP = 5, NO_REGISTER = 255 };
/* Opcodes of two bytes, 0F xx. */
enum { TWO = 0x100, THREE = 0x200 };
/* The groups of arithmetic instructions, by bits 3 to 5 of opcode or ModRM. */
enum { ADC = 2, SBB = 3, XOR = 6, SUB = 5, COMPARE = 7 };

struct x86_instruction {
	unsigned length, opcode, reg, rm, base, index;
	int32_t displacement, jump; /* jump: from the next instruction */
	bool modrm, memory, jumps, wide, small, rex, repeated, locked;
};

static int32_t read_32(const unsigned char *b)
{
	return (int32_t)(b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24);
}

/* Returns whether an instruction has a byte that says its operands; -1: it is not decoded. */
static int modrm_of(unsigned op)
{
	unsigned low = op & 0xff;

	if (op >= THREE)
		return 1;
	if (op >= TWO) {
		if (low == 0x05 || low == 0x31 || low == 0xa2 || (low >= 0x80 && low <= 0x8f) ||
		    (low >= 0xc8 && low <= 0xcf))
			return 0;
		return (low >= 0x10 && low <= 0x1f) || (low >= 0x28 && low <= 0x2f) ||
			       (low >= 0x40 && low <= 0x76) || low == 0x7e || low == 0x7f ||
			       (low >= 0x90 && low != 0xa0 && low != 0xa1 && low != 0xa6 &&
				low != 0xa7 && low != 0xa8 && low != 0xa9 && low != 0xaa)
			   ? 1
			   : -1;
	}
	if (op < 0x40)
		return (op & 7) < 4 ? 1 : (op & 7) < 6 ? 0 : -1;
	if (op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f && op != 0x82) ||
	    op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
	    (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op >= 0xfe)
		return 1;
	return (op >= 0x50 && op <= 0x5f) || op == 0x68 || op == 0x6a ||
		       (op >= 0x70 && op <= 0x7f) || (op >= 0x90 && op <= 0x99) || op == 0xa8 ||
		       op == 0xa9 || (op >= 0xb0 && op <= 0xbf) || op == 0xe8 || op == 0xe9 ||
		       op == 0xeb
		   ? 0
		   : -1;
}

/* Returns the size of the number at the end of an instruction. */
static unsigned immediate_of(const struct x86_instruction *i)
{
	unsigned op = i->opcode, word = i->small ? 2 : 4;

	if (op >= THREE)
		return op >= THREE + TWO;
	if (op >= TWO) {
		op &= 0xff;
		if (op >= 0x80 && op <= 0x8f)
			return 4;
		return (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
		       op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
	}
	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? word : 0;
	if (op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7)
		return word;
	if (op >= 0xb8 && op <= 0xbf)
		return i->wide ? 8 : word;
	if (op == 0xe8 || op == 0xe9)
		return 4;
	if (op == 0xf6)
		return (i->reg & 7) < 2 ? 1 : 0;
	if (op == 0xf7)
		return (i->reg & 7) < 2 ? word : 0;
	return op == 0x6a || op == 0x6b || (op >= 0x70 && op <= 0x7f) || op == 0x80 || op == 0x83 ||
	       op == 0xa8 || (op >= 0xb0 && op <= 0xb7) || op == 0xc0 || op == 0xc1 || op == 0xc6 ||
	       op == 0xeb;
}

/* Reads prefixes and opcode; returns where what follows begins, 0: they are not decoded. */
static unsigned opcode_read(const unsigned char *b, struct x86_instruction *i, unsigned *rex)
{
	unsigned at = 0;

	for (; at < 4; at++) {
		if (b[at] == 0x66)
			i->small = true;
		else if (b[at] == 0xf3)
			i->repeated = true;
		else if (b[at] == 0xf0)
			i->locked = true;
		else if (b[at] != 0xf2 && b[at] != 0x2e && b[at] != 0x3e && b[at] != 0x64 &&
			 b[at] != 0x65)
			break;
	}
	*rex = (b[at] & 0xf0) == 0x40 ? b[at++] : 0;
	i->rex = *rex;
	i->wide = *rex & 8;
	i->opcode = b[at++];
	if (i->opcode != 0x0f)
		return at;
	i->opcode = TWO + b[at++];
	if (i->opcode == TWO + 0x38 || i->opcode == TWO + 0x3a)
		i->opcode = (i->opcode == TWO + 0x38 ? THREE : THREE + TWO) + b[at++];
	return at;
}

/* Reads the operands; returns their length. */
static unsigned operands_read(const unsigned char *b, struct x86_instruction *i, unsigned rex)
{
	unsigned mode = b[0] >> 6, low = b[0] & 7, n = 1, displacement;

	i->reg = (b[0] >> 3 & 7) | (rex & 4 ? 8 : 0);
	i->rm = low | (rex & 1 ? 8 : 0);
	i->memory = mode != 3;
	i->base = i->memory ? i->rm : NO_REGISTER;
	i->index = NO_REGISTER;
	if (!i->memory)
		return n;
	displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
	if (low == 4) {
		unsigned index = (b[1] >> 3 & 7) | (rex & 2 ? 8 : 0);

		n++;
		i->base = (b[1] & 7) | (rex & 1 ? 8 : 0);
		i->index = index == RSP ? NO_REGISTER : index;
		low = b[1] & 7;
	}
	if (mode == 0 && low == 5) {
		/* relative to the instruction, or without a base */
		i->base = NO_REGISTER;
		displacement = 4;
	}
	if (displacement)
		i->displacement = displacement == 1 ? (int8_t)b[n] : read_32(b + n);
	return n + displacement;
}

/* Decodes an instruction of at most n bytes; returns false if it is none of those known here. */
static bool instruction_read(const unsigned char *bytes, size_t n, struct x86_instruction *i)
{
	unsigned char b[32] = {0};
	unsigned rex, at, immediate;
	int modrm;

	/* none is longer than 15 bytes, and what follows may be looked at */
	memcpy(b, bytes, n < 15 ? n : 15);
	*i = (struct x86_instruction){.base = NO_REGISTER, .index = NO_REGISTER};
	at = opcode_read(b, i, &rex);
	modrm = modrm_of(i->opcode);
	if (modrm < 0)
		return false;
	i->modrm = modrm;
	if (modrm)
		at += operands_read(b + at, i, rex);
	else
		i->rm = (i->opcode & 7) | (rex & 1 ? 8 : 0);
	immediate = immediate_of(i);
	i->jumps = (i->opcode >= 0x70 && i->opcode <= 0x7f) || i->opcode == 0xe9 ||
		   i->opcode == 0xeb || (i->opcode >= TWO + 0x80 && i->opcode <= TWO + 0x8f);
	if (i->jumps)
		i->jump = immediate == 1 ? (int8_t)b[at] : read_32(b + at);
	i->length = at + immediate;
	return i->length <= n && i->length <= 15;
}

static bool is_pause(const struct x86_instruction *i)
{
	return i->opcode == 0x90 && i->repeated && !i->rex;
}

/* ---- x86-64: what an instruction does ---- */

struct effect {
	/* bits of registers: of the lowest byte of each, from bit 16 on; of the rest of each */
	unsigned reads, writes;
	bool loads; /* from memory */
};

static unsigned bit(unsigned reg)
{
	return reg == NO_REGISTER ? 0 : 0x10001u << reg;
}

/* Without a REX prefix, registers 4 to 7 of one byte are the second bytes of the first four. */
static bool is_second(const struct x86_instruction *i, unsigned reg)
{
	return !i->rex && reg >= 4;
}

static unsigned byte_bit(const struct x86_instruction *i, unsigned reg)
{
	return is_second(i, reg) ? 1u << (reg - 4) : 0x10000u << reg;
}

static unsigned rm_bit(const struct x86_instruction *i, bool byte)
{
	return i->memory ? 0 : byte ? byte_bit(i, i->rm) : bit(i->rm);
}

static unsigned reg_bit(const struct x86_instruction *i, bool byte)
{
	return byte ? byte_bit(i, i->reg) : bit(i->reg);
}

/* Reads what is at the operand that may be memory. */
static void operand_read(const struct x86_instruction *i, bool byte, struct effect *e)
{
	e->reads |= rm_bit(i, byte);
	e->loads |= i->memory;
}

/* Arithmetic of a register and another operand: opcodes below 40. */
static bool arithmetic(const struct x86_instruction *i, struct effect *e)
{
	unsigned group = i->opcode >> 3 & 7, form = i->opcode & 7;
	bool byte = !(form & 1), to_memory = i->memory && !(form & 2) && group != COMPARE;

	if (group == ADC || group == SBB || (form < 4 && to_memory))
		return false;
	if (form >= 4) {
		e->reads |= byte ? byte_bit(i, RAX) : bit(RAX);
		e->writes |= group == COMPARE ? 0 : e->reads;
		return true;
	}
	if (!i->memory && i->reg == i->rm && (group == XOR || group == SUB)) {
		e->writes |= reg_bit(i, byte);
		return true;
	}
	operand_read(i, byte, e);
	e->reads |= reg_bit(i, byte);
	if (group != COMPARE)
		e->writes |= form & 2 ? reg_bit(i, byte) : rm_bit(i, byte);
	return true;
}

/* Arithmetic of an operand and a number: opcodes 80 to 83. */
static bool arithmetic_number(const struct x86_instruction *i, struct effect *e)
{
	unsigned group = i->reg & 7;

	if (group == ADC || group == SBB || (i->memory && group != COMPARE))
		return false;
	operand_read(i, i->opcode == 0x80, e);
	e->writes |= group == COMPARE ? 0 : rm_bit(i, i->opcode == 0x80);
	return true;
}

static bool effect_of_two(const struct x86_instruction *i, struct effect *e)
{
	unsigned low = i->opcode & 0xff;

	if (low == 0x1e || low == 0x1f)
		return true;
	if (low >= 0x40 && low <= 0x4f) {
		operand_read(i, false, e);
		e->reads |= bit(i->reg);
		e->writes |= bit(i->reg);
	} else if (low >= 0x90 && low <= 0x9f) {
		e->writes |= rm_bit(i, true);
		return !i->memory;
	} else if (low == 0xb6 || low == 0xb7 || low == 0xbe || low == 0xbf) {
		operand_read(i, !(low & 1), e);
		e->writes |= bit(i->reg);
	} else {
		return low == 0xae && !i->memory; /* a fence */
	}
	return true;
}

static bool effect_whole(const struct x86_instruction *i, struct effect *e)
{
	unsigned op = i->opcode;
	bool byte = !(op & 1);

	*e = (struct effect){.reads = bit(i->base) | bit(i->index)};
	if (op >= THREE || i->locked)
		return false;
	if (op >= TWO)
		return effect_of_two(i, e);
	if (op < 0x40)
		return arithmetic(i, e);
	switch (op) {
	case 0x63: /* to a register */
	case 0x8a:
	case 0x8b:
		operand_read(i, op == 0x8a, e);
		e->writes |= reg_bit(i, op == 0x8a);
		return true;
	case 0x80:
	case 0x81:
	case 0x83:
		return arithmetic_number(i, e);
	case 0x84: /* test */
	case 0x85:
		operand_read(i, byte, e);
		e->reads |= reg_bit(i, byte);
		return true;
	case 0x86: /* exchanges at once: only_looks() knows whether it is a try to lock */
	case 0x87:
		e->reads |= reg_bit(i, byte);
		e->writes |= reg_bit(i, byte);
		e->loads = true;
		return i->memory;
	case 0x88: /* from a register */
	case 0x89:
		e->reads |= reg_bit(i, byte);
		e->writes |= rm_bit(i, byte);
		return !i->memory;
	case 0x8d: /* an address */
		e->writes |= bit(i->reg);
		return true;
	case 0x90: /* with a prefix, it exchanges registers */
		return i->rm == RAX;
	case 0x98: /* sign */
		e->reads = e->writes = bit(RAX);
		return true;
	case 0xa8: /* test of a number */
	case 0xa9:
		e->reads = byte ? byte_bit(i, RAX) : bit(RAX);
		return true;
	case 0xc0: /* shifts */
	case 0xc1:
	case 0xd0:
	case 0xd1:
		e->reads |= rm_bit(i, byte);
		e->writes |= rm_bit(i, byte);
		return !i->memory && (i->reg & 7) != ADC && (i->reg & 7) != SBB;
	case 0xc6: /* a number */
	case 0xc7:
		e->writes |= rm_bit(i, byte);
		return !i->memory && (i->reg & 7) == 0;
	case 0xf6:
	case 0xf7: /* test of a number */
		operand_read(i, byte, e);
		return (i->reg & 7) == 0;
	default:
		if (op >= 0xb0 && op <= 0xbf) {
			e->writes = op < 0xb8 ? byte_bit(i, i->rm) : bit(i->rm);
			return true;
		}
		return i->jumps;
	}
}

/* Returns false for what is not known here, or stores: memory could keep a result. */
static bool effect_of(const struct x86_instruction *i, struct effect *e)
{
	if (!effect_whole(i, e))
		return false;
	/* what it keeps of a register stays in it, as if it read that */
	e->reads |= i->small ? e->writes : e->writes & 0xffff & ~(e->writes >> 16);
	return true;
}

/* ---- x86-64: loops ---- */

/*
 * Code that is left for several places may do its work there and come back, as the states of a
 * machine, and then it is no loop of its own. Nor are many instructions a look at a flag.
 */
enum { EXITS_MOST = 1, LOOK_MOST = 32 };

static bool is_always(const struct x86_instruction *i)
{
	return i->opcode == 0xe9 || i->opcode == 0xeb;
}

/* Finds the registers that a loop of n bytes writes; false: it does what is not known, or jumps. */
static bool written_find(const unsigned char *loop, size_t n, unsigned *written)
{
	int64_t leaves = (int64_t)n;
	unsigned exits = 0;
	struct x86_instruction i = {0};
	struct effect e;

	*written = 0;
	for (size_t at = 0; at < n; at += i.length) {
		int64_t to;

		if (!instruction_read(loop + at, n - at, &i) || !effect_of(&i, &e))
			return false;
		*written |= e.writes;
		to = (int64_t)(at + i.length) + i.jump;
		if (!i.jumps || at + i.length == n || to == 0)
			continue;
		if (is_always(&i) || (to > 0 && to < (int64_t)n) || ++exits > EXITS_MOST)
			return false;
		leaves = to;
	}
	return is_always(&i) || leaves == (int64_t)n;
}

/*
 * Returns which registers have the same value in each iteration after an instruction: numbers, and
 * copies of what the loop does not write.
 */
static unsigned constant_after(const struct x86_instruction *i, const struct effect *e,
			       unsigned before, unsigned written)
{
	bool number = i->opcode >= 0xb0 && i->opcode <= 0xbf;
	bool copies = i->opcode >= 0x88 && i->opcode <= 0x8b && !i->memory;

	if (number || (copies && !(e->reads & written & ~before)))
		return before | e->writes;
	return before & ~e->writes;
}

/*
 * Whether each iteration of a loop begins as the one before, and looks into memory. It may try to
 * lock: exchange a value there with one that is always the same.
 */
static bool only_looks(const unsigned char *loop, size_t n)
{
	unsigned written, done = 0, constant = 0;
	bool looks = false;
	struct x86_instruction i;
	struct effect e;

	if (n > LOOK_MOST || !written_find(loop, n, &written))
		return false;
	for (size_t at = 0; at < n; at += i.length) {
		instruction_read(loop + at, n - at, &i);
		effect_of(&i, &e);
		if (e.reads & written & ~done)
			return false;
		if ((i.opcode == 0x86 || i.opcode == 0x87) &&
		    reg_bit(&i, i.opcode == 0x86) & ~constant)
			return false;
		looks |= e.loads;
		constant = constant_after(&i, &e, constant, written);
		done |= e.writes;
	}
	return looks;
}

/* Whether the instruction is in a loop that begins at a place, and that waits. */
static bool waits_x86(const struct code_bytes *c, size_t from)
{
	bool pauses = false, within = false;
	struct x86_instruction i;

	for (size_t at = from; at < c->n && at < from + SPIN_LOOP_MOST; at += i.length) {
		size_t end;

		if (!instruction_read(c->bytes + at, c->n - at, &i))
			return false;
		end = at + i.length;
		within |= at == c->at;
		pauses |= is_pause(&i);
		if (within && i.jumps && (int64_t)end + i.jump == (int64_t)from &&
		    (pauses || only_looks(c->bytes + from, end - from)))
			return true;
	}
	return false;
}

/* ---- AArch64 ---- */

/* Returns where a branch leads, from it, in instructions; 0: it is none. */
static int32_t branch_of(uint32_t word)
{
	if ((word & 0xfc000000) == 0x14000000)
		return (int32_t)(word << 6) >> 6;
	if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000)
		return (int32_t)(word << 8) >> 13;
	if ((word & 0x7e000000) == 0x36000000)
		return (int32_t)(word << 13) >> 18;
	return 0;
}

static bool is_hint(uint32_t word)
{
	return word == 0xd503203f || word == 0xd503205f || word == 0xd5033fdf;
}

static bool waits_arm(const struct code_bytes *c, size_t from)
{
	bool pauses = false;

	for (size_t at = from; at + 4 <= c->n && at < from + SPIN_LOOP_MOST; at += 4) {
		uint32_t word = (uint32_t)read_32(c->bytes + at);
		int32_t branch = branch_of(word);

		pauses |= is_hint(word);
		if (pauses && at >= c->at && branch &&
		    (int64_t)at + 4 * (int64_t)branch == (int64_t)from)
			return true;
	}
	return false;
}

/* ---- all ---- */

bool spin_code_is(const struct code_bytes *c)
{
	size_t step = c->machine == EM_AARCH64 ? 4 : 1;

	if ((c->machine != EM_X86_64 && c->machine != EM_AARCH64) || c->at >= c->n)
		return false;
	for (size_t back = 0; back <= c->at && back < SPIN_LOOP_MOST; back += step)
		if (c->machine == EM_X86_64 ? waits_x86(c, c->at - back)
					    : waits_arm(c, c->at - back))
			return true;
	return false;
}
