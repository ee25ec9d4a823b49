#include "codegen/reserved.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Keywords, each list sorted as by strcmp(). Those of C are up to C23, so that a header outlives
 * its compiler.
 */
static const char *const c_words[] = {
    "_Alignas",       "_Alignof",      "_Atomic",      "_BitInt",  "_Bool",      "_Complex",
    "_Decimal128",    "_Decimal32",    "_Decimal64",   "_Generic", "_Imaginary", "_Noreturn",
    "_Static_assert", "_Thread_local", "alignas",      "alignof",  "asm",        "auto",
    "bool",           "break",         "case",         "char",     "const",      "constexpr",
    "continue",       "default",       "do",           "double",   "else",       "enum",
    "extern",         "false",         "float",        "for",      "goto",       "if",
    "inline",         "int",           "long",         "nullptr",  "register",   "restrict",
    "return",         "short",         "signed",       "sizeof",   "static",     "static_assert",
    "struct",         "switch",        "thread_local", "true",     "typedef",    "typeof",
    "typeof_unqual",  "union",         "unsigned",     "void",     "volatile",   "while",
};

/* With the alternative spellings of operators. */
static const char *const cpp_words[] = {
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
};

static const char *const java_words[] = {
    "_",       "abstract",  "assert",       "boolean",  "break",      "byte",    "case",
    "catch",   "char",      "class",        "const",    "continue",   "default", "do",
    "double",  "else",      "enum",         "extends",  "false",      "final",   "finally",
    "float",   "for",       "goto",         "if",       "implements", "import",  "instanceof",
    "int",     "interface", "long",         "native",   "new",        "null",    "package",
    "private", "protected", "public",       "return",   "short",      "static",  "strictfp",
    "super",   "switch",    "synchronized", "this",     "throw",      "throws",  "transient",
    "true",    "try",       "void",         "volatile", "while",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool reserved_is_one_of(const char *name, const char *const *words, size_t n)
{
	return bsearch(name, words, n, sizeof *words, compare) != NULL;
}

/* C and C++ reserve these names for the implementation. */
static bool is_implementation_name(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

bool name_reserved(enum language language, const char *name)
{
	switch (language) {
	case LANGUAGE_C:
		return is_implementation_name(name) ||
		       reserved_is_one_of(name, c_words, COUNT(c_words));
	case LANGUAGE_CPP:
		return is_implementation_name(name) ||
		       reserved_is_one_of(name, cpp_words, COUNT(cpp_words));
	case LANGUAGE_FORTRAN: /* a letter, then letters, digits, underscores */
		return !isalpha((unsigned char)name[0]) || strlen(name) > NAME_FORTRAN_LONGEST;
	case LANGUAGE_JAVA:
		break;
	}
	return reserved_is_one_of(name, java_words, COUNT(java_words));
}

/* Intrinsic procedures of Fortran 2018 and those that GNU Fortran adds, sorted. */
/* clang-format off */
static const char *const intrinsics[] = {
	"abort", "abs", "access", "achar", "acos", "acosd", "acosh", "adjustl", "adjustr",
	"aimag", "aint", "alarm", "all", "allocated", "alog", "alog10", "amax0", "amax1",
	"amin0", "amin1", "amod", "and", "anint", "any", "asin", "asind", "asinh",
	"associated", "atan", "atan2", "atan2d", "atand", "atanh", "atomic_add",
	"atomic_and", "atomic_cas", "atomic_define", "atomic_fetch_add", "atomic_fetch_and",
	"atomic_fetch_or", "atomic_fetch_xor", "atomic_or", "atomic_ref", "atomic_xor",
	"backtrace", "besj0", "besj1", "besjn", "bessel_j0", "bessel_j1", "bessel_jn",
	"bessel_y0", "bessel_y1", "bessel_yn", "besy0", "besy1", "besyn", "bge", "bgt",
	"bit_size", "ble", "blt", "btest", "cabs", "ccos", "cdabs", "cdcos", "cdexp",
	"cdlog", "cdsin", "cdsqrt", "ceiling", "cexp", "char", "chdir", "chmod", "clog",
	"cmplx", "co_broadcast", "co_max", "co_min", "co_reduce", "co_sum",
	"command_argument_count", "compiler_options", "compiler_version", "complex", "conjg",
	"cos", "cosd", "cosh", "coshape", "cotan", "cotand", "count", "cpu_time", "cshift",
	"csin", "csqrt", "ctime", "dabs", "dacos", "dacosd", "dacosh", "dasin", "dasind",
	"dasinh", "datan", "datan2", "datan2d", "datand", "datanh", "date_and_time",
	"dbesj0", "dbesj1", "dbesjn", "dbesy0", "dbesy1", "dbesyn", "dble", "dcmplx",
	"dconjg", "dcos", "dcosd", "dcosh", "dcotan", "dcotand", "ddim", "derf", "derfc",
	"dexp", "dfloat", "dgamma", "digits", "dim", "dimag", "dint", "dlgama", "dlog",
	"dlog10", "dmax1", "dmin1", "dmod", "dnint", "dot_product", "dprod", "dreal",
	"dshiftl", "dshiftr", "dsign", "dsin", "dsind", "dsinh", "dsqrt", "dtan", "dtand",
	"dtanh", "dtime", "eoshift", "epsilon", "erf", "erfc", "erfc_scaled", "etime",
	"event_query", "execute_command_line", "exit", "exp", "exponent", "extends_type_of",
	"failed_images", "fdate", "fget", "fgetc", "findloc", "float", "floor", "flush",
	"fnum", "fput", "fputc", "fraction", "free", "fseek", "fstat", "ftell", "gamma",
	"gerror", "get_command", "get_command_argument", "get_environment_variable",
	"get_team", "getarg", "getcwd", "getenv", "getgid", "getlog", "getpid", "getuid",
	"gmtime", "hostnm", "huge", "hypot", "iabs", "iachar", "iall", "iand", "iany",
	"iargc", "ibclr", "ibits", "ibset", "ichar", "idate", "idim", "idint", "idnint",
	"ieor", "ierrno", "ifix", "imag", "image_index", "image_status", "imagpart", "index",
	"int", "int2", "int8", "ior", "iparity", "irand", "is_contiguous", "is_iostat_end",
	"is_iostat_eor", "isatty", "ishft", "ishftc", "isign", "isnan", "itime", "kill",
	"kind", "lbound", "lcobound", "leadz", "len", "len_trim", "lgamma", "lge", "lgt",
	"link", "lle", "llt", "lnblnk", "loc", "log", "log10", "log_gamma", "logical",
	"long", "lshift", "lstat", "ltime", "malloc", "maskl", "maskr", "matmul", "max",
	"max0", "max1", "maxexponent", "maxloc", "maxval", "mclock", "mclock8", "merge",
	"merge_bits", "min", "min0", "min1", "minexponent", "minloc", "minval", "mod",
	"modulo", "move_alloc", "mvbits", "nearest", "new_line", "nint", "norm2", "not",
	"null", "num_images", "or", "out_of_range", "pack", "parity", "perror", "popcnt",
	"poppar", "precision", "present", "product", "radix", "rand", "random_init",
	"random_number", "random_seed", "range", "rank", "real", "realpart", "rename",
	"repeat", "reshape", "rrspacing", "rshift", "same_type_as", "scale", "scan",
	"secnds", "second", "selected_char_kind", "selected_int_kind", "selected_real_kind",
	"set_exponent", "shape", "shifta", "shiftl", "shiftr", "short", "sign", "signal",
	"sin", "sind", "sinh", "size", "sizeof", "sleep", "sngl", "spacing", "spread",
	"sqrt", "srand", "stat", "stopped_images", "storage_size", "sum", "symlnk", "system",
	"system_clock", "tan", "tand", "tanh", "team_number", "this_image", "time", "time8",
	"tiny", "trailz", "transfer", "transpose", "trim", "ttynam", "ubound", "ucobound",
	"umask", "unlink", "unpack", "verify", "xor", "zabs", "zcos", "zexp", "zlog", "zsin",
	"zsqrt",
};
/* clang-format on */

/* Prefixes that OpenMP, OpenACC and MPI reserve. */
static const char *const prefixes[] = {"acc_", "mpi_", "omp_", "pmpi_"};

static int compare_caseless(const void *name, const void *entry)
{
	return strcasecmp(name, *(const char *const *)entry);
}

const char *name_procedure(const char *name)
{
	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (!strncasecmp(name, prefixes[i], strlen(prefixes[i])))
			return "a parallel library";
	if (bsearch(name, intrinsics, COUNT(intrinsics), sizeof *intrinsics, compare_caseless))
		return "Fortran itself";
	return NULL;
}
