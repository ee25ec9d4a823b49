#include "spec/types.h"
#include <ctype.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned size;
} types[] = {
    [TYPE_INT] = {"int", 4},         [TYPE_UINT] = {"uint", 4},     [TYPE_LONG] = {"long", 8},
    [TYPE_ULONG] = {"ulong", 8},     [TYPE_DOUBLE] = {"double", 8}, [TYPE_STRING] = {"string", 4},
    [TYPE_ADDRESS] = {"address", 8}, [TYPE_CODE] = {"code", 8},     [TYPE_OBJECT] = {"object", 8},
    [TYPE_CODE32] = {"code32", 4},
};

static const char *const symbols[] = {
    [SYMBOL_NONE] = "none",         [SYMBOL_X] = "x",
    [SYMBOL_PLUS] = "plus",         [SYMBOL_BOX] = "box",
    [SYMBOL_DIAMOND] = "diamond",   [SYMBOL_CIRCLE] = "circle",
    [SYMBOL_TRIANGLE] = "triangle",
};

static const char *const connections[] = {
    [CONNECTION_NONE] = "none",
    [CONNECTION_LINE] = "line",
    [CONNECTION_RECTANGLE] = "rectangle",
};

static const char *const kinds[] = {
    [KIND_NONE] = NULL,     [KIND_WORK] = "work",   [KIND_WAIT] = "wait",   [KIND_HOLD] = "hold",
    [KIND_IO] = "io",       [KIND_CALL] = "call",   [KIND_STATE] = "state", [KIND_LIFE] = "life",
    [KIND_PHASE] = "phase", [KIND_CAUSE] = "cause", [KIND_SPIN] = "spin",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

unsigned type_size(enum type t)
{
	return types[t].size;
}

const char *type_name(enum type t)
{
	return types[t].name;
}

bool type_is_integer(enum type t)
{
	return t != TYPE_DOUBLE && t != TYPE_STRING;
}

bool type_is_symbolic(enum type t)
{
	return t == TYPE_CODE || t == TYPE_CODE32 || t == TYPE_OBJECT;
}

const char *symbol_name(enum symbol s)
{
	return symbols[s];
}

/* Returns whether a name is a word of the language, in lower case or capitalised. */
static bool is_word(const char *name, const char *word)
{
	return tolower((unsigned char)name[0]) == word[0] && strcmp(name + 1, word + 1) == 0;
}

bool type_find(const char *name, enum type *type)
{
	for (size_t i = 0; i < COUNT(types); i++) {
		if (is_word(name, types[i].name)) {
			*type = (enum type)i;
			return true;
		}
	}
	return false;
}

/* Returns the index of a word; 0, the entry "none" that cannot be written, if there is none. */
static size_t word_find(const char *name, const char *const *words, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (is_word(name, words[i]))
			return i;
	return 0;
}

bool symbol_find(const char *name, enum symbol *symbol)
{
	*symbol = (enum symbol)word_find(name, symbols, COUNT(symbols));
	return *symbol != SYMBOL_NONE;
}

bool connection_find(const char *name, enum connection *connection)
{
	*connection = (enum connection)word_find(name, connections, COUNT(connections));
	return *connection != CONNECTION_NONE;
}

const char *interval_kind_name(enum interval_kind kind)
{
	return kinds[kind];
}

bool interval_kind_find(const char *name, enum interval_kind *kind)
{
	for (size_t i = 1; i < COUNT(kinds); i++) {
		if (strcmp(name, kinds[i]) == 0) {
			*kind = (enum interval_kind)i;
			return true;
		}
	}
	return false;
}

const char *const *symbol_names(size_t *n)
{
	*n = COUNT(symbols) - 1;
	return symbols + 1;
}

const char *const *connection_names(size_t *n)
{
	*n = COUNT(connections) - 1;
	return connections + 1;
}

const char *const *interval_kind_names(size_t *n)
{
	*n = COUNT(kinds) - 1;
	return kinds + 1;
}
