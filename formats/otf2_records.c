#include "config.h"
#ifdef HAVE_OTF2

#include "formats/otf2_records.h"
#include <stdlib.h>

/* ---- event types ---- */

static const struct logs_event *type_make(struct otf2_records *r, const char *name,
					  const struct logs_field *fields, unsigned n)
{
	const struct logs_event *e = logs_event_make(r->logs, name, fields, n, NULL);

	r->failed |= !e;
	return e;
}

static void region_types(struct otf2_records *r)
{
	const struct logs_field function = {"function", TYPE_CODE};
	const struct logs_field ends[] = {function,
					  {"channel", TYPE_UINT},
					  {"message", TYPE_ULONG},
					  {"communicator", TYPE_UINT},
					  {"round", TYPE_ULONG}};

	r->enter = type_make(r, "Enter", &function, 1);
	r->leave = type_make(r, "Leave", &function, 1);
	r->wait_begin = type_make(r, "WaitBegin", &function, 1);
	r->wait_end = type_make(r, "WaitEnd", ends, 5);
	r->io_begin = type_make(r, "IoBegin", &function, 1);
	r->io_end = type_make(r, "IoEnd", &function, 1);
}

static void message_types(struct otf2_records *r)
{
	const struct logs_field message[] = {{"channel", TYPE_UINT}, {"message", TYPE_ULONG},
					     {"peer", TYPE_STRING},  {"tag", TYPE_UINT},
					     {"bytes", TYPE_ULONG},  {"communicator", TYPE_STRING}};
	const struct logs_field begin[] = {{"communicator", TYPE_UINT}, {"round", TYPE_ULONG}};
	const struct logs_field end[] = {{"communicator", TYPE_UINT}, {"round", TYPE_ULONG},
					 {"name", TYPE_STRING},       {"root", TYPE_UINT},
					 {"sent", TYPE_ULONG},        {"received", TYPE_ULONG}};

	r->send = type_make(r, "Send", message, 6);
	r->receive = type_make(r, "Receive", message, 6);
	r->collective_begin = type_make(r, "CollectiveBegin", begin, 2);
	r->collective_end = type_make(r, "CollectiveEnd", end, 6);
}

static void thread_types(struct otf2_records *r)
{
	const struct logs_field lock[] = {{"lock", TYPE_OBJECT}, {"turn", TYPE_ULONG}};
	const struct logs_field thread[] = {{"team", TYPE_UINT}, {"sequence", TYPE_ULONG}};

	r->acquire = type_make(r, "Acquire", lock, 2);
	r->release = type_make(r, "Release", lock, 2);
	r->create = type_make(r, "ThreadCreate", thread, 2);
	r->begin = type_make(r, "ThreadBegin", thread, 2);
	r->wait = type_make(r, "ThreadWait", thread, 2);
	r->end = type_make(r, "ThreadEnd", thread, 2);
}

/* A communicator is 0, and a message too, where a wait had none. */
static const char intervals[] =
    "interval Call [ b:Enter -> e:Leave ] nested where b.thread == e.thread && b.function == "
    "e.function\n\t= rectangle (kind \"call\");\n"
    "interval Wait [ e:WaitEnd <- b:WaitBegin ] where b.thread == e.thread && b.function == "
    "e.function\n\t= rectangle (kind \"wait\");\n"
    "interval Io [ e:IoEnd <- b:IoBegin ] where b.thread == e.thread && b.function == "
    "e.function\n\t= rectangle (kind \"io\");\n"
    "interval Message [ r:Receive <- s:Send ] where r.channel == s.channel && r.message == "
    "s.message = line;\n"
    "/* The message for which a thread waited, the last one if there were several. */\n"
    "interval Arrival [ e:WaitEnd <- s:Send ] where e.channel == s.channel && e.message == "
    "s.message\n\t= line (kind \"cause\");\n"
    "/* The last one to begin a collective operation lets all others go on. */\n"
    "interval Collective [ e:WaitEnd <- b:CollectiveBegin ]\n"
    "\twhere e.communicator == b.communicator && e.round == b.round = line (kind \"cause\");\n"
    "interval LockHold [ a:Acquire -> r:Release ] nested where a.thread == r.thread && a.lock == "
    "r.lock\n\t= rectangle (kind \"hold\");\n"
    "interval Handover [ a:Acquire <- r:Release ] where a.lock == r.lock && a.turn == r.turn + "
    "1\n\t= line (kind \"cause\");\n"
    "interval Spawn [ c:ThreadCreate -> b:ThreadBegin ] where c.team == b.team && c.sequence == "
    "b.sequence\n\t= line (kind \"cause\");\n"
    "interval Joined [ w:ThreadWait <- e:ThreadEnd ] where w.team == e.team && w.sequence == "
    "e.sequence\n\t= line (kind \"cause\");\n";

bool otf2_records_begin(struct otf2_records *r, struct otf2_archive *a, struct logs *l)
{
	*r = (struct otf2_records){.archive = a, .logs = l};
	named_begin(&r->named, l);
	region_types(r);
	message_types(r);
	thread_types(r);
	logs_text(l, "%s", intervals);
	return !r->failed;
}

void otf2_records_location(struct otf2_records *r, struct otf2_location *l)
{
	r->unended += r->open.n;
	r->location = l;
	r->open.n = 0;
	r->collective_time = 0;
}

void otf2_records_end(struct otf2_records *r, bool good)
{
	if (good) {
		import_passed_over(r->archive->in, r->unbalanced,
				   "ends of regions that had not begun were left out");
		import_passed_over(r->archive->in, r->unended + r->open.n, "regions have no end");
	}
	named_end(&r->named, r->archive->in, good);
	hash_table_free(&r->counts);
	hash_table_free(&r->channels);
	free(r->nth.at);
	free(r->open.at);
}

/* ---- helpers of the records ---- */

static void event_log(struct otf2_records *r, OTF2_TimeStamp time, const struct logs_event *e,
		      const struct logs_value *values)
{
	logs_write(r->location->thread, otf2_time(r->archive, time), e, values);
}

static struct logs_value text_value(const char *text)
{
	return logs_bytes(text, strlen(text));
}

enum counted { COUNT_SENT, COUNT_RECEIVED, COUNT_ROUND };

/* Returns 1 for the first record of those that have the same key, and so on. */
static uint64_t count(struct otf2_records *r, enum counted what, uint64_t key)
{
	uint32_t place = hash_table_number(&r->counts, key, (uint64_t)what, r->nth.n);

	if (place == r->nth.n)
		*vector_add(&r->nth) = 0;
	return ++r->nth.at[place];
}

static struct logs_value function_of(struct otf2_records *r, OTF2_RegionRef region)
{
	return logs_natural(logs_code(logs_thread_process(r->location->thread),
				      otf2_region_of(r->archive, region)->name));
}

/* ---- regions ---- */

static OTF2_CallbackCode enter_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				    uint64_t position, void *context,
				    OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct otf2_records *r = context;
	struct logs_value function = function_of(r, region);
	enum otf2_waits waits = otf2_region_of(r->archive, region)->waits;

	(void)location, (void)position, (void)attributes;
	r->read++;
	vector_add(&r->open)->region = region;
	event_log(r, time, r->enter, &function);
	if (waits == REGION_WAITS)
		event_log(r, time, r->wait_begin, &function);
	else if (waits == REGION_DOES_IO)
		event_log(r, time, r->io_begin, &function);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode leave_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				    uint64_t position, void *context,
				    OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct otf2_records *r = context;
	struct logs_value function = function_of(r, region);
	enum otf2_waits waits = otf2_region_of(r->archive, region)->waits;
	struct otf2_open open;

	(void)location, (void)position, (void)attributes;
	r->read++;
	if (!r->open.n || r->open.at[r->open.n - 1].region != region) {
		r->unbalanced++;
		return OTF2_CALLBACK_SUCCESS;
	}
	open = r->open.at[--r->open.n];
	if (waits == REGION_WAITS)
		event_log(r, time, r->wait_end,
			  (struct logs_value[]){function, logs_natural(open.channel),
						logs_natural(open.message), logs_natural(open.comm),
						logs_natural(open.round)});
	else if (waits == REGION_DOES_IO)
		event_log(r, time, r->io_end, &function);
	event_log(r, time, r->leave, &function);
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- messages ---- */

/* What is sent on one channel arrives in its order. */
static uint32_t channel_of(struct otf2_records *r, OTF2_LocationRef from, OTF2_LocationRef to,
			   OTF2_CommRef comm, uint32_t tag)
{
	uint32_t channel = hash_table_number(&r->channels, hash_mix(from) ^ to,
					     (uint64_t)comm << 32 | tag, r->nchannels + 1);

	r->nchannels += channel == r->nchannels + 1;
	return channel;
}

static uint64_t message_log(struct otf2_records *r, OTF2_TimeStamp time, bool sent, uint32_t peer,
			    OTF2_CommRef comm, uint32_t tag, uint64_t length, uint32_t *channel)
{
	OTF2_LocationRef other = otf2_rank_location(r->archive, comm, peer);
	const struct otf2_location *l = otf2_location_of(r->archive, other);
	OTF2_LocationRef self = r->location->self;
	uint64_t n;

	*channel =
	    sent ? channel_of(r, self, other, comm, tag) : channel_of(r, other, self, comm, tag);
	n = count(r, sent ? COUNT_SENT : COUNT_RECEIVED, *channel);
	r->read++;
	event_log(r, time, sent ? r->send : r->receive,
		  (struct logs_value[]){logs_natural(*channel), logs_natural(n),
					text_value(l ? otf2_text(r->archive, l->name) : "unknown"),
					logs_natural(tag), logs_natural(length),
					text_value(otf2_comm_name(r->archive, comm))});
	return n;
}

static OTF2_CallbackCode send_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				   uint64_t position, void *context, OTF2_AttributeList *attributes,
				   uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
				   uint64_t length)
{
	uint32_t channel;

	(void)location, (void)position, (void)attributes;
	message_log(context, time, true, receiver, comm, tag, length, &channel);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode isend_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				    uint64_t position, void *context,
				    OTF2_AttributeList *attributes, uint32_t receiver,
				    OTF2_CommRef comm, uint32_t tag, uint64_t length,
				    uint64_t request)
{
	(void)request;
	return send_take(location, time, position, context, attributes, receiver, comm, tag,
			 length);
}

static OTF2_CallbackCode receive_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				      uint64_t position, void *context,
				      OTF2_AttributeList *attributes, uint32_t sender,
				      OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
	struct otf2_records *r = context;
	uint32_t channel;
	uint64_t message = message_log(r, time, false, sender, comm, tag, length, &channel);

	(void)location, (void)position, (void)attributes;
	if (r->open.n) {
		r->open.at[r->open.n - 1].channel = channel;
		r->open.at[r->open.n - 1].message = message;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode ireceive_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				       uint64_t position, void *context,
				       OTF2_AttributeList *attributes, uint32_t sender,
				       OTF2_CommRef comm, uint32_t tag, uint64_t length,
				       uint64_t request)
{
	(void)request;
	return receive_take(location, time, position, context, attributes, sender, comm, tag,
			    length);
}

static OTF2_CallbackCode collective_begin_take(OTF2_LocationRef location, OTF2_TimeStamp time,
					       uint64_t position, void *context,
					       OTF2_AttributeList *attributes)
{
	struct otf2_records *r = context;

	(void)location, (void)position, (void)attributes;
	r->read++;
	r->collective_time = otf2_time(r->archive, time);
	return OTF2_CALLBACK_SUCCESS;
}

/* Only the end says of which communicator it is. */
static OTF2_CallbackCode collective_end_take(OTF2_LocationRef location, OTF2_TimeStamp time,
					     uint64_t position, void *context,
					     OTF2_AttributeList *attributes,
					     OTF2_CollectiveOp operation, OTF2_CommRef comm,
					     uint32_t root, uint64_t sent, uint64_t received)
{
	struct otf2_records *r = context;
	uint64_t round = count(r, COUNT_ROUND, hash_mix(r->location->self) ^ comm);
	const struct logs_value values[] = {logs_natural((uint64_t)comm + 1),
					    logs_natural(round),
					    text_value(otf2_comm_name(r->archive, comm)),
					    logs_natural(root),
					    logs_natural(sent),
					    logs_natural(received)};

	(void)location, (void)position, (void)attributes, (void)operation;
	r->read++;
	if (r->collective_time)
		logs_write(r->location->thread, r->collective_time, r->collective_begin, values);
	event_log(r, time, r->collective_end, values);
	if (r->open.n) {
		r->open.at[r->open.n - 1].comm = comm + 1;
		r->open.at[r->open.n - 1].round = round;
	}
	r->collective_time = 0;
	return OTF2_CALLBACK_SUCCESS;
}

/* ---- locks and threads ---- */

static OTF2_CallbackCode lock_log(struct otf2_records *r, OTF2_TimeStamp time,
				  const struct logs_event *e, uint32_t lock, uint32_t turn)
{
	/* 0 is no object */
	const struct logs_value values[] = {logs_natural((uint64_t)lock + 1), logs_natural(turn)};

	r->read++;
	event_log(r, time, e, values);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode acquire_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				      uint64_t position, void *context,
				      OTF2_AttributeList *attributes, OTF2_Paradigm model,
				      uint32_t lock, uint32_t turn)
{
	struct otf2_records *r = context;

	(void)location, (void)position, (void)attributes, (void)model;
	return lock_log(r, time, r->acquire, lock, turn);
}

static OTF2_CallbackCode release_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				      uint64_t position, void *context,
				      OTF2_AttributeList *attributes, OTF2_Paradigm model,
				      uint32_t lock, uint32_t turn)
{
	struct otf2_records *r = context;

	(void)location, (void)position, (void)attributes, (void)model;
	return lock_log(r, time, r->release, lock, turn);
}

static OTF2_CallbackCode thread_log(struct otf2_records *r, OTF2_TimeStamp time,
				    const struct logs_event *e, OTF2_CommRef team,
				    uint64_t sequence)
{
	const struct logs_value values[] = {logs_natural(team), logs_natural(sequence)};

	r->read++;
	event_log(r, time, e, values);
	return OTF2_CALLBACK_SUCCESS;
}

#define THREAD_RECORD(name, event) \
	static OTF2_CallbackCode name( \
	    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context, \
	    OTF2_AttributeList *attributes, OTF2_CommRef team, uint64_t sequence) \
	{ \
		struct otf2_records *r = context; \
\
		(void)location, (void)position, (void)attributes; \
		return thread_log(r, time, r->event, team, sequence); \
	}

THREAD_RECORD(create_take, create)
THREAD_RECORD(begin_take, begin)
THREAD_RECORD(wait_take, wait)
THREAD_RECORD(end_take, end)

/* ---- numbers ---- */

static bool named_log(struct otf2_records *r, OTF2_TimeStamp time, const char *name,
		      struct logs_value value)
{
	const struct logs_argument argument = {"value", value};
	const struct named_type *type = named_type(&r->named, SPAN_NONE, name, &argument, 1);

	r->failed |= !type;
	if (type)
		named_write(&r->named, r->location->thread, otf2_time(r->archive, time), type, name,
			    &argument, 1);
	return type != NULL;
}

static OTF2_CallbackCode metric_take(OTF2_LocationRef location, OTF2_TimeStamp time,
				     uint64_t position, void *context,
				     OTF2_AttributeList *attributes, OTF2_MetricRef metric,
				     uint8_t n, const OTF2_Type *types,
				     const OTF2_MetricValue *values)
{
	struct otf2_records *r = context;

	(void)location, (void)position, (void)attributes;
	r->read++;
	for (uint8_t i = 0; i < n; i++) {
		struct logs_value value =
		    types[i] == OTF2_TYPE_DOUBLE  ? logs_real(values[i].floating_point)
		    : types[i] == OTF2_TYPE_INT64 ? logs_integer(values[i].signed_int)
						  : logs_natural(values[i].unsigned_int);

		if (!named_log(r, time, otf2_metric_name(r->archive, metric, i), value))
			return OTF2_CALLBACK_INTERRUPT;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode parameter_log(struct otf2_records *r, OTF2_TimeStamp time,
				       OTF2_ParameterRef parameter, struct logs_value value)
{
	r->read++;
	return named_log(r, time, otf2_parameter_name(r->archive, parameter), value)
		   ? OTF2_CALLBACK_SUCCESS
		   : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode parameter_text(OTF2_LocationRef location, OTF2_TimeStamp time,
					uint64_t position, void *context,
					OTF2_AttributeList *attributes, OTF2_ParameterRef parameter,
					OTF2_StringRef string)
{
	struct otf2_records *r = context;

	(void)location, (void)position, (void)attributes;
	return parameter_log(r, time, parameter, text_value(otf2_text(r->archive, string)));
}

static OTF2_CallbackCode parameter_integer(OTF2_LocationRef location, OTF2_TimeStamp time,
					   uint64_t position, void *context,
					   OTF2_AttributeList *attributes,
					   OTF2_ParameterRef parameter, int64_t value)
{
	(void)location, (void)position, (void)attributes;
	return parameter_log(context, time, parameter, logs_integer(value));
}

static OTF2_CallbackCode parameter_natural(OTF2_LocationRef location, OTF2_TimeStamp time,
					   uint64_t position, void *context,
					   OTF2_AttributeList *attributes,
					   OTF2_ParameterRef parameter, uint64_t value)
{
	(void)location, (void)position, (void)attributes;
	return parameter_log(context, time, parameter, logs_natural(value));
}

OTF2_EvtReaderCallbacks *otf2_records_callbacks(void)
{
	OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(c, enter_take);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, leave_take);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, send_take);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, isend_take);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, receive_take);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, ireceive_take);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, collective_begin_take);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, collective_end_take);
	OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(c, acquire_take);
	OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(c, release_take);
	OTF2_EvtReaderCallbacks_SetThreadCreateCallback(c, create_take);
	OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, begin_take);
	OTF2_EvtReaderCallbacks_SetThreadWaitCallback(c, wait_take);
	OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, end_take);
	OTF2_EvtReaderCallbacks_SetMetricCallback(c, metric_take);
	OTF2_EvtReaderCallbacks_SetParameterStringCallback(c, parameter_text);
	OTF2_EvtReaderCallbacks_SetParameterIntCallback(c, parameter_integer);
	OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(c, parameter_natural);
	return c;
}

#else
typedef int otf2_records_are_missing;
#endif
