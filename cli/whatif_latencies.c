#include "cli/whatif_latencies.h"
#include "base/csv.h"
#include "base/print.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/text.h"

/* Three digits, and all of a larger number. */
static const char *rate_text(char text[UNITS_TEXT], double rate)
{
	if (rate >= 100)
		return units_count(text, (uint64_t)(rate + 0.5));
	snprintf(text, UNITS_TEXT, "%.3g", rate);
	return text;
}

static const char *number_text(char text[UNITS_TEXT], enum latency_number n, double value)
{
	return n == LATENCY_RATE ? rate_text(text, value) : units_time(text, value);
}

/* If the server waits for more of the time, it is not what limits closed clients. */
static const double much_idle = 0.1;

static void clients_text(FILE *out, const struct clients *c)
{
	if (c->kind == CLIENTS_NONE)
		return;
	fprintf(out, "clients: ");
	if (c->kind == CLIENTS_UNKNOWN)
		fprintf(out, "not known whether they wait for answers; predicted as if they did "
			     "(see --clients)");
	else
		fprintf(out, "%s%s", clients_kind_name(c->kind), c->asked ? " (--clients)" : "");
	if (c->connections)
		fprintf(out, ", %zu connection%s", c->connections, c->connections == 1 ? "" : "s");
	putc('\n', out);
	if (c->kind == CLIENTS_CLOSED && c->idle > much_idle)
		fprintf(out, "the clients limit: workers wait for requests %.0f %% of the time\n",
			100 * c->idle);
}

void latencies_text(FILE *out, const struct service *s)
{
	const struct latencies *l = s->latencies;
	static const char *const names[] = {[LATENCY_RATE] = "  instances a second",
					    [LATENCY_P50] = "  median",
					    [LATENCY_P90] = "  90 %",
					    [LATENCY_P99] = "  99 %"};
	struct columns columns = {.count = 6, .left = 1};

	columns_add(&columns,
		    (const char *[6]){l->name, "recorded", "predicted", "change", "from", "to"});
	for (unsigned i = 0; i < NLATENCY_NUMBERS; i++) {
		const struct latency_range *r = &l->numbers[i];
		enum latency_number n = (enum latency_number)i;
		char cells[5][UNITS_TEXT];

		columns_add(&columns,
			    (const char *[6]){names[i], number_text(cells[0], n, r->recorded),
					      number_text(cells[1], n, r->predicted),
					      change_text(cells[2], r->recorded, r->predicted),
					      number_text(cells[3], n, r->low),
					      number_text(cells[4], n, r->high)});
	}
	columns_print(&columns, out);
	clients_text(out, &s->clients);
}

void latencies_csv_head(FILE *out)
{
	fputs(",interval,instances", out);
	for (unsigned i = 0; i < NLATENCY_NUMBERS; i++) {
		const char *name = latency_number_name((enum latency_number)i);

		fprintf(out, ",%s_recorded,%s,%s_low,%s_high", name, name, name, name);
	}
	fputs(",clients,connections,idle", out);
}

void latencies_csv(FILE *out, const struct service *s)
{
	const struct latencies *l = s->latencies;

	putc(',', out);
	csv_write_field(out, l->name);
	fprintf(out, ",%zu", l->n);
	for (unsigned i = 0; i < NLATENCY_NUMBERS; i++) {
		const struct latency_range *r = &l->numbers[i];
		const double all[] = {r->recorded, r->predicted, r->low, r->high};

		for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
			putc(',', out);
			print_real(out, all[k]);
		}
	}
	fprintf(out, ",%s", clients_kind_name(s->clients.kind));
	known_csv(out, s->clients.connections > 0, (int64_t)s->clients.connections);
	putc(',', out);
	print_real(out, s->clients.idle);
}
