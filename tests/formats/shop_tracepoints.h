/* The tracepoints of shop.c, one of each kind of field. LTTng includes this file several times. */
/* clang-format off */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER shop
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "shop_tracepoints.h"

#if !defined(GLIMPSE_TESTS_FORMATS_SHOP_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define GLIMPSE_TESTS_FORMATS_SHOP_TRACEPOINTS_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_ENUM(shop, kind,
	LTTNG_UST_TP_ENUM_VALUES(
		lttng_ust_field_enum_value("tea", 1)
		lttng_ust_field_enum_range("cake", 2, 9)))

LTTNG_UST_TRACEPOINT_EVENT(shop, order_begin,
	LTTNG_UST_TP_ARGS(int, id, const char *, who, int, kind, double, price),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, id, id)
		lttng_ust_field_string(who, who)
		lttng_ust_field_enum(shop, kind, int, kind, kind)
		lttng_ust_field_float(double, price, price)
		lttng_ust_field_integer(unsigned long, most, 0xffffffffffffffffUL)
		lttng_ust_field_integer_hex(unsigned long, at, 0xfffffffffffffff0UL + id)
		lttng_ust_field_array_text(char, short_name, who, 3)
		lttng_ust_field_sequence_text(char, letters, who, unsigned, 2)
		lttng_ust_field_sequence(int, numbers, ((int[]){id, -id}), unsigned, 2)))

LTTNG_UST_TRACEPOINT_EVENT(shop, order_end,
	LTTNG_UST_TP_ARGS(int, id),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, id, id)))
#endif

#include <lttng/tracepoint-event.h>
