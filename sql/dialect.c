#include "sql/dialect.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

const char *dialect_name(enum dialect d)
{
	static const char *const names[NDIALECTS] = {"duckdb", "postgresql", "spark"};

	return names[d];
}

const char *sql_type_name(enum dialect d, enum sql_type type)
{
	static const char *const names[NDIALECTS][NSQL_TYPES] = {
	    [DIALECT_DUCKDB] = {"BOOLEAN", "BIGINT", "HUGEINT", "DOUBLE", "BLOB"},
	    [DIALECT_POSTGRESQL] = {"BOOLEAN", "BIGINT", "NUMERIC", "DOUBLE PRECISION", "BYTEA"},
	    [DIALECT_SPARK] = {"BOOLEAN", "BIGINT", "DECIMAL(21,0)", "DOUBLE", "BINARY"},
	};

	return names[d][type];
}

enum sql_type sql_type_of(enum type type)
{
	switch (type) {
	case TYPE_DOUBLE:
		return SQL_DOUBLE;
	case TYPE_STRING:
		return SQL_BYTES;
	case TYPE_ULONG:
	case TYPE_ADDRESS:
	case TYPE_CODE:
	case TYPE_OBJECT:
		return SQL_WIDE;
	default:
		return SQL_BIGINT;
	}
}

const char *sql_column_type(enum dialect d, enum type type)
{
	static const char *const unsigned_names[NDIALECTS] = {"UBIGINT", "NUMERIC(20,0)",
							      "DECIMAL(20,0)"};
	enum sql_type of_value = sql_type_of(type);

	return of_value == SQL_WIDE ? unsigned_names[d] : sql_type_name(d, of_value);
}

char *sql_identifier(enum dialect d, const char *name)
{
	char quote = d == DIALECT_SPARK ? '`' : '"', *result, *at;

	at = result = array_new(2 * strlen(name) + 3, 1);
	*at++ = quote;
	for (; *name; name++) {
		*at++ = *name;
		if (*name == quote)
			*at++ = quote;
	}
	*at++ = quote;
	*at = '\0';
	return result;
}

char *sql_bytes(enum dialect d, const char *bytes, size_t n)
{
	static const char *const begins[NDIALECTS] = {"from_hex('", "decode('", "X'"};
	static const char *const ends[NDIALECTS] = {"')", "', 'hex')", "'"};
	char *hex = array_new(2 * n + 1, 1), *result;

	hex[0] = '\0';
	for (size_t i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02X", (unsigned char)bytes[i]);
	result = text_format("%s%s%s", begins[d], hex, ends[d]);
	free(hex);
	return result;
}

char *sql_cast(enum dialect d, const char *value, enum sql_type type)
{
	return text_format("CAST(%s AS %s)", value, sql_type_name(d, type));
}

char *sql_is_nan(enum dialect d, const char *value)
{
	return d == DIALECT_POSTGRESQL
		   ? text_format("(%s = CAST('NaN' AS DOUBLE PRECISION))", value)
		   : text_format("isnan(%s)", value);
}

char *sql_text(enum dialect d, const char *text)
{
	char *quoted = array_new(2 * strlen(text) + 3, 1), *at = quoted;

	*at++ = '\'';
	for (; *text; text++) {
		if (d == DIALECT_SPARK && (*text == '\'' || *text == '\\'))
			*at++ = '\\';
		else if (*text == '\'')
			*at++ = '\'';
		*at++ = *text;
	}
	*at++ = '\'';
	*at = '\0';
	return quoted;
}

const char *sql_divide(enum dialect d)
{
	static const char *const operators[NDIALECTS] = {"//", "/", "div"};

	return operators[d];
}
