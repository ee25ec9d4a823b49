#include "spec/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Each sorted as strcmp() does. C: up to C23, so that a header outlives its compiler. */
static const char *const c_words[] = {
	"_Alignas", "_Alignof", "_Atomic", "_BitInt", "_Bool", "_Complex", "_Decimal128",
	"_Decimal32", "_Decimal64", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert",
	"_Thread_local", "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char",
	"const", "constexpr", "continue", "default", "do", "double", "else", "enum", "extern",
	"false", "float", "for", "goto", "if", "inline", "int", "long", "nullptr", "register",
	"restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "struct",
	"switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual", "union",
	"unsigned", "void", "volatile", "while",
};

/* With the alternative spellings of operators. */
static const char *const cpp_words[] = {
	"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
	"case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
	"co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
	"constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
	"dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
	"friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
	"noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected",
	"public", "register", "reinterpret_cast", "requires", "return", "short", "signed",
	"sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
	"this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union",
	"unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
};

static const char *const java_words[] = {
	"_", "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class",
	"const", "continue", "default", "do", "double", "else", "enum", "extends", "false",
	"final", "finally", "float", "for", "goto", "if", "implements", "import", "instanceof",
	"int", "interface", "long", "native", "new", "null", "package", "private", "protected",
	"public", "return", "short", "static", "strictfp", "super", "switch", "synchronized",
	"this", "throw", "throws", "transient", "true", "try", "void", "volatile", "while",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool is_one_of(const char *name, const char *const *words, size_t n)
{
	return bsearch(name, words, n, sizeof *words, compare) != NULL;
}

/* Both committees keep these for the implementation. */
static bool is_implementation_name(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

bool name_reserved(enum language language, const char *name)
{
	switch (language) {
	case LANGUAGE_C:
		return is_implementation_name(name) || is_one_of(name, c_words, COUNT(c_words));
	case LANGUAGE_CPP:
		return is_implementation_name(name) || is_one_of(name, cpp_words, COUNT(cpp_words));
	case LANGUAGE_FORTRAN:  /* letters, digits and underscores behind a letter */
		return !isalpha((unsigned char)name[0]) || strlen(name) > NAME_FORTRAN_LONGEST;
	case LANGUAGE_JAVA:
		break;
	}
	return is_one_of(name, java_words, COUNT(java_words));
}
