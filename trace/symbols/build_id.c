#include "trace/symbols/build_id.h"
#include "trace/symbols/line_tokens.h"

bool build_id_read(struct build_id *id, const char *digits, size_t n)
{
	id->n = 0;
	if (n % 2 || n / 2 > sizeof id->bytes)
		return false;
	for (size_t i = 0; i < n; i += 2) {
		int high = digit_value(digits[i]), low = digit_value(digits[i + 1]);

		if (high > 15 || low > 15)
			return false;
		id->bytes[id->n++] = (unsigned char)(high << 4 | low);
	}
	return true;
}

const char *build_id_text(char text[BUILD_ID_TEXT], const struct build_id *id)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < id->n; i++) {
		text[2 * i] = digits[id->bytes[i] >> 4];
		text[2 * i + 1] = digits[id->bytes[i] & 15];
	}
	text[2 * id->n] = 0;
	return text;
}
