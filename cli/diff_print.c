#include "base/json.h"
#include "base/units.h"
#include "cli/diff_print.h"
#include "cli/table.h"
#include "match/stats/diff.h"
#include <math.h>

static const char *const names[NMEASURES] = {"count", "mean", "p50", "p99", "total",
					      "unmatched"};

static bool is_count(enum measure m)
{
	return m == MEASURE_COUNT || m == MEASURE_UNMATCHED;
}

static const char *value_cell(char text[UNITS_TEXT], enum measure m, double value)
{
	if (isnan(value))
		return "-";
	if (is_count(m))
		return units_count(text, (uint64_t)value);
	return units_time(text, value);
}

static const char *change_cell(char text[UNITS_TEXT], double change)
{
	if (isnan(change))
		return "-";
	snprintf(text, UNITS_TEXT, "%+.1f %%", change * 100);
	return text;
}

static const char *verdict(const struct diff *d, enum measure m, double fail_above)
{
	if (isnan(d->values[m][0]) || isnan(d->values[m][1]))
		return "";
	if (diff_is_noise(d, m))
		return "noise";
	if (!diff_exceeds(d, m, fail_above))
		return "more than noise";
	return is_count(m) || m == MEASURE_TOTAL ? "more: above the limit"
						 : "slower: above the limit";
}

static void text_print(FILE *out, const struct diff *diffs, size_t n, double fail_above)
{
	static const char *const head[] = {"interval", "", "before", "after", "change", "verdict"};
	struct columns columns = {.count = 6, .left = 2};

	columns_add(&columns, head);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++) {
			char a[UNITS_TEXT], b[UNITS_TEXT], change[UNITS_TEXT];
			const char *row[] = {
			    m == 0 ? diffs[i].interval->name : "",
			    names[m],
			    value_cell(a, m, diffs[i].values[m][0]),
			    value_cell(b, m, diffs[i].values[m][1]),
			    change_cell(change, diff_change(&diffs[i], m)),
			    verdict(&diffs[i], m, fail_above),
			};

			columns_add(&columns, row);
		}
	columns_print(&columns, out);
}

/* Empty where there is no number. */
static void csv_number(FILE *out, double number, const char *format)
{
	putc(',', out);
	if (!isnan(number))
		fprintf(out, format, number);
}

static void csv_print(FILE *out, const struct diff *diffs, size_t n)
{
	fputs("interval,measure,before,after,change,p\n", out);
	for (size_t i = 0; i < n; i++)
		for (enum measure m = 0; m < NMEASURES; m++) {
			const struct diff *d = &diffs[i];

			fprintf(out, "%s,%s", d->interval->name, names[m]);
			csv_number(out, d->values[m][0], "%.15g");
			csv_number(out, d->values[m][1], "%.15g");
			csv_number(out, diff_change(d, m), "%.6f");
			csv_number(out, d->p[m], "%.3g");
			putc('\n', out);
		}
}

static void json_diff(struct json *j, const struct diff *d)
{
	json_object(j, NULL);
	json_string(j, "interval", d->interval->name);
	for (enum measure m = 0; m < NMEASURES; m++) {
		json_object(j, names[m]);
		json_real(j, "before", d->values[m][0]);
		json_real(j, "after", d->values[m][1]);
		json_real(j, "change", diff_change(d, m));
		json_real(j, "p", d->p[m]);
		json_close(j);
	}
	json_real(j, "p", d->test.p);
	json_real(j, "greater", d->test.greater);
	json_close(j);
}

void diff_print(FILE *out, enum format format, const struct diff *diffs, size_t n,
		double fail_above)
{
	if (format == FORMAT_CSV) {
		csv_print(out, diffs, n);
	} else if (format == FORMAT_JSON) {
		struct json j = json_begin(out, 2);

		json_array(&j, NULL);
		for (size_t i = 0; i < n; i++)
			json_diff(&j, &diffs[i]);
		json_close(&j);
	} else {
		text_print(out, diffs, n, fail_above);
	}
}
