#include "spec/warnings.h"
#include <stddef.h>

const struct warning warnings[] = {
	{"narrow-match", "Match compares too little to tell the events of a pair from others"},
	{"never-holds", "a condition or assertion that can never hold"},
	{"type-as-attribute", "an attribute called like a type of another language"},
	{"unused-attribute", "an attribute that no interval, assertion or symbol uses"},
	{NULL, NULL},
};
