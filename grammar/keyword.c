#include "grammar/keyword.h"
#include "grammar/parser.h"
#include <ctype.h>
#include <string.h>

static const struct {
	const char *word;
	int token;
} keywords[] = {
    {"address", TOKEN_TYPE},
    {"assert", TOKEN_ASSERT},
    {"axis", TOKEN_AXIS},
    {"backwards", TOKEN_BACKWARDS},
    {"by", TOKEN_BY},
    {"code", TOKEN_SOFT_TYPE},
    {"code32", TOKEN_SOFT_TYPE},
    {"connection", TOKEN_CONNECTION},
    {"double", TOKEN_TYPE},
    {"end", TOKEN_END},
    {"event", TOKEN_EVENT},
    {"forwards", TOKEN_FORWARDS},
    {"glimpse", TOKEN_GLIMPSE},
    {"graze", TOKEN_GLIMPSE},
    {"hypothesis", TOKEN_HYPOTHESIS},
    {"import", TOKEN_IMPORT},
    {"in", TOKEN_IN},
    {"int", TOKEN_TYPE},
    {"interval", TOKEN_INTERVAL},
    {"long", TOKEN_TYPE},
    {"match", TOKEN_MATCH},
    {"metric", TOKEN_METRIC},
    {"nested", TOKEN_NESTED},
    {"object", TOKEN_OBJECT},
    {"once", TOKEN_ONCE},
    {"order", TOKEN_ORDER},
    {"per", TOKEN_PER},
    {"refines", TOKEN_REFINES},
    {"string", TOKEN_TYPE},
    {"symbol", TOKEN_SYMBOL},
    {"uint", TOKEN_TYPE},
    {"ulong", TOKEN_TYPE},
    {"where", TOKEN_WHERE},
};

int keyword_token(const char *word)
{
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (tolower((unsigned char)word[0]) == keywords[i].word[0] &&
		    strcmp(word + 1, keywords[i].word + 1) == 0)
			return keywords[i].token;
	return TOKEN_NAME;
}

bool keyword_begins_block(const char *word)
{
	return keyword_token(word) == TOKEN_GLIMPSE;
}
