#include "config.h"
#ifdef HAVE_OTF2

#include "formats/otf2_archive.h"
#include "formats/otf2_definitions.h"
#include <stdlib.h>

enum definition {
	A_STRING,
	AN_ATTRIBUTE,
	A_REGION,
	A_LOCATION,
	A_PROCESS,
	A_GROUP,
	A_COMM,
	A_MEMBER,
	A_METRIC,
	A_PARAMETER
};

/* ---- references ---- */

static size_t place_find(const struct otf2_archive *a, enum definition kind, uint64_t reference)
{
	const struct hash_slot *slot = hash_table_find(&a->numbers, hash_mix(reference), kind);

	return slot ? slot->head : SIZE_MAX;
}

/* Returns the definition of a reference in a vector; a second one for the same replaces it. */
#define definition_add(a, kind, reference, vector) \
	({ \
		size_t place_ = \
		    hash_table_number(&(a)->numbers, (reference), (kind), (vector)->n); \
		if (place_ == (vector)->n) \
			vector_add(vector); \
		&(vector)->at[place_]; \
	})

#define definition_find(a, kind, reference, vector) \
	({ \
		size_t place_ = place_find((a), (kind), (reference)); \
		place_ < (vector)->n ? &(vector)->at[place_] : NULL; \
	})

const char *otf2_text(const struct otf2_archive *a, OTF2_StringRef string)
{
	char **text = definition_find(a, A_STRING, string, &a->strings);

	return text ? *text : "";
}

const char *otf2_attribute_name(const struct otf2_archive *a, OTF2_AttributeRef attribute)
{
	OTF2_StringRef *name = definition_find(a, AN_ATTRIBUTE, attribute, &a->attributes);

	return name ? otf2_text(a, *name) : "";
}

const struct otf2_region_read *otf2_region_of(const struct otf2_archive *a, OTF2_RegionRef region)
{
	static const struct otf2_region_read none = {.name = "unknown region"};
	const struct otf2_region_read *r = definition_find(a, A_REGION, region, &a->regions);

	return r ? r : &none;
}

struct otf2_location *otf2_location_of(const struct otf2_archive *a, OTF2_LocationRef location)
{
	return definition_find(a, A_LOCATION, location, &a->locations);
}

const char *otf2_comm_name(const struct otf2_archive *a, OTF2_CommRef comm)
{
	const struct otf2_comm *c = definition_find(a, A_COMM, comm, &a->comms);

	return c ? c->name : "";
}

static const struct otf2_group *ranks_of(const struct otf2_archive *a)
{
	for (size_t i = 0; i < a->groups.n; i++)
		if (a->groups.at[i].locations)
			return &a->groups.at[i];
	return NULL;
}

OTF2_LocationRef otf2_rank_location(const struct otf2_archive *a, OTF2_CommRef comm, uint32_t rank)
{
	const struct otf2_comm *c = definition_find(a, A_COMM, comm, &a->comms);
	const struct otf2_group *group =
	    c ? definition_find(a, A_GROUP, c->group, &a->groups) : NULL;
	const struct otf2_group *ranks = ranks_of(a);
	uint64_t member;

	if (!group || rank >= group->n)
		return OTF2_UNDEFINED_LOCATION;
	member = group->members[rank];
	return ranks && member < ranks->n ? ranks->members[member] : OTF2_UNDEFINED_LOCATION;
}

const char *otf2_metric_name(const struct otf2_archive *a, OTF2_MetricRef metric, uint8_t member)
{
	const struct otf2_metric *m = definition_find(a, A_METRIC, metric, &a->metrics);
	const char **name;

	if (m && m->class != metric)
		m = definition_find(a, A_METRIC, m->class, &a->metrics);
	if (!m || member >= m->members.n)
		return "metric";
	name = definition_find(a, A_MEMBER, m->members.at[member], &a->members);
	return name ? *name : "metric";
}

const char *otf2_parameter_name(const struct otf2_archive *a, OTF2_ParameterRef parameter)
{
	const char **name = definition_find(a, A_PARAMETER, parameter, &a->parameters);

	return name ? *name : "parameter";
}

int64_t otf2_time(const struct otf2_archive *a, OTF2_TimeStamp time)
{
	unsigned __int128 ticks = time > a->offset ? time - a->offset : 0;

	return (int64_t)(ticks * 1000000000 / a->resolution) + (a->origin > 0 ? a->origin : 0);
}

/* ---- the library's definitions ---- */

static OTF2_CallbackCode clock_take(void *context, uint64_t resolution, uint64_t offset,
				    uint64_t length, uint64_t realtime)
{
	struct otf2_archive *a = context;

	(void)length;
	a->resolution = resolution;
	a->offset = offset;
	a->realtime = realtime;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode string_take(void *context, OTF2_StringRef self, const char *string)
{
	struct otf2_archive *a = context;
	char **text = definition_add(a, A_STRING, self, &a->strings);

	free(*text);
	*text = text_format("%s", string);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode attribute_take(void *context, OTF2_AttributeRef self, OTF2_StringRef name,
					OTF2_StringRef description, OTF2_Type type)
{
	struct otf2_archive *a = context;

	(void)description, (void)type;
	*definition_add(a, AN_ATTRIBUTE, self, &a->attributes) = name;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode root_take(void *context, OTF2_SystemTreeNodeRef node, OTF2_StringRef name,
				   OTF2_Type type, OTF2_AttributeValue value)
{
	struct otf2_archive *a = context;
	const char *text = otf2_text(a, name);

	(void)node;
	if (type == OTF2_TYPE_STRING && strcmp(text, OTF2_SPEC_PROPERTY) == 0)
		a->spec = otf2_text(a, value.stringRef);
	else if (type == OTF2_TYPE_INT64 && strcmp(text, OTF2_ORIGIN_PROPERTY) == 0)
		a->origin = value.int64;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode process_take(void *context, OTF2_LocationGroupRef self,
				      OTF2_StringRef name, OTF2_LocationGroupType type,
				      OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef creator)
{
	struct otf2_archive *a = context;

	(void)type, (void)parent, (void)creator;
	*definition_add(a, A_PROCESS, self, &a->processes) =
	    (struct otf2_process){.self = self, .name = name};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode process_property(void *context, OTF2_LocationGroupRef self,
					  OTF2_StringRef name, OTF2_Type type,
					  OTF2_AttributeValue value)
{
	struct otf2_archive *a = context;
	struct otf2_process *p = definition_find(a, A_PROCESS, self, &a->processes);

	if (p && type == OTF2_TYPE_UINT32 && strcmp(otf2_text(a, name), OTF2_PID_PROPERTY) == 0)
		p->pid = value.uint32;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode location_take(void *context, OTF2_LocationRef self, OTF2_StringRef name,
				       OTF2_LocationType type, uint64_t events,
				       OTF2_LocationGroupRef group)
{
	struct otf2_archive *a = context;

	(void)type;
	*definition_add(a, A_LOCATION, self, &a->locations) =
	    (struct otf2_location){.self = self,
				   .name = name,
				   .group = group,
				   .number = -1,
				   .tid = self + 1,
				   .events = events};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode location_property(void *context, OTF2_LocationRef self,
					   OTF2_StringRef name, OTF2_Type type,
					   OTF2_AttributeValue value)
{
	struct otf2_archive *a = context;
	struct otf2_location *l = otf2_location_of(a, self);

	if (l && type == OTF2_TYPE_UINT32 && strcmp(otf2_text(a, name), OTF2_THREAD_PROPERTY) == 0)
		l->number = value.uint32;
	if (l && type == OTF2_TYPE_UINT64 && strcmp(otf2_text(a, name), OTF2_TID_PROPERTY) == 0 &&
	    value.uint64)
		l->tid = value.uint64;
	return OTF2_CALLBACK_SUCCESS;
}

/*
 * By what measurement systems say of a region: its role, and of threads' libraries, what it is
 * called.
 */
static enum otf2_waits waits_of(const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
	static const char *const names[] = {"pthread_mutex_lock", "pthread_cond_wait",
					    "pthread_cond_timedwait", "pthread_join"};

	switch (role) {
	case OTF2_REGION_ROLE_BARRIER:
	case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
	case OTF2_REGION_ROLE_TASK_WAIT:
	case OTF2_REGION_ROLE_COLL_ONE2ALL:
	case OTF2_REGION_ROLE_COLL_ALL2ONE:
	case OTF2_REGION_ROLE_COLL_ALL2ALL:
	case OTF2_REGION_ROLE_COLL_OTHER:
	case OTF2_REGION_ROLE_POINT2POINT:
	case OTF2_REGION_ROLE_RMA:
	case OTF2_REGION_ROLE_THREAD_WAIT:
		return REGION_WAITS;
	case OTF2_REGION_ROLE_FILE_IO:
	case OTF2_REGION_ROLE_FILE_IO_METADATA:
		return REGION_DOES_IO;
	default:
		break;
	}
	for (size_t i = 0; paradigm == OTF2_PARADIGM_PTHREAD && i < sizeof names / sizeof *names;
	     i++)
		if (strcmp(name, names[i]) == 0)
			return REGION_WAITS;
	return REGION_RUNS;
}

static OTF2_CallbackCode region_take(void *context, OTF2_RegionRef self, OTF2_StringRef name,
				     OTF2_StringRef canonical, OTF2_StringRef description,
				     OTF2_RegionRole role, OTF2_Paradigm paradigm,
				     OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				     uint32_t end)
{
	struct otf2_archive *a = context;
	const char *text = otf2_text(a, name);

	(void)canonical, (void)description, (void)flags, (void)file, (void)begin, (void)end;
	*definition_add(a, A_REGION, self, &a->regions) =
	    (struct otf2_region_read){text, waits_of(text, role, paradigm)};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode group_take(void *context, OTF2_GroupRef self, OTF2_StringRef name,
				    OTF2_GroupType type, OTF2_Paradigm paradigm,
				    OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
	struct otf2_archive *a = context;
	struct otf2_group *g = definition_add(a, A_GROUP, self, &a->groups);

	(void)name, (void)flags;
	free(g->members);
	g->members = array_new(n, sizeof *g->members);
	g->n = n;
	memcpy(g->members, members, n * sizeof *members);
	g->locations = type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode comm_take(void *context, OTF2_CommRef self, OTF2_StringRef name,
				   OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct otf2_archive *a = context;

	(void)parent, (void)flags;
	*definition_add(a, A_COMM, self, &a->comms) = (struct otf2_comm){otf2_text(a, name), group};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode member_take(void *context, OTF2_MetricMemberRef self, OTF2_StringRef name,
				     OTF2_StringRef description, OTF2_MetricType type,
				     OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,
				     int64_t exponent, OTF2_StringRef unit)
{
	struct otf2_archive *a = context;

	(void)description, (void)type, (void)mode, (void)value_type, (void)base, (void)exponent;
	(void)unit;
	*definition_add(a, A_MEMBER, self, &a->members) = otf2_text(a, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode metric_take(void *context, OTF2_MetricRef self, uint8_t n,
				     const OTF2_MetricMemberRef *members,
				     OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
	struct otf2_archive *a = context;
	struct otf2_metric *m = definition_add(a, A_METRIC, self, &a->metrics);

	(void)occurrence, (void)recorder;
	m->class = self;
	m->members.n = 0;
	for (uint8_t i = 0; i < n; i++)
		*vector_add(&m->members) = members[i];
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode metric_instance_take(void *context, OTF2_MetricRef self,
					      OTF2_MetricRef class, OTF2_LocationRef recorder,
					      OTF2_MetricScope scope, uint64_t of)
{
	struct otf2_archive *a = context;

	(void)recorder, (void)scope, (void)of;
	definition_add(a, A_METRIC, self, &a->metrics)->class = class;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode parameter_take(void *context, OTF2_ParameterRef self, OTF2_StringRef name,
					OTF2_ParameterType type)
{
	struct otf2_archive *a = context;

	(void)type;
	*definition_add(a, A_PARAMETER, self, &a->parameters) = otf2_text(a, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *callbacks_make(void)
{
	OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();

	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, clock_take);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, string_take);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, attribute_take);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, root_take);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, process_take);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(c, process_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, location_take);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, location_property);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, region_take);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, group_take);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, comm_take);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, member_take);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, metric_take);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, metric_instance_take);
	OTF2_GlobalDefReaderCallbacks_SetParameterCallback(c, parameter_take);
	return c;
}

bool otf2_archive_read(struct otf2_archive *a, struct import_input *in, OTF2_Reader *reader)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = callbacks_make();
	uint64_t n;
	bool good;

	*a = (struct otf2_archive){.in = in};
	good = definitions &&
	       OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, a) ==
		   OTF2_SUCCESS &&
	       OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS;
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	return good && (a->resolution || import_fail(in, "the archive has no clock"));
}

void otf2_archive_free(struct otf2_archive *a)
{
	for (size_t i = 0; i < a->strings.n; i++)
		free(a->strings.at[i]);
	for (size_t i = 0; i < a->groups.n; i++)
		free(a->groups.at[i].members);
	for (size_t i = 0; i < a->metrics.n; i++)
		free(a->metrics.at[i].members.at);
	free(a->strings.at);
	free(a->attributes.at);
	free(a->regions.at);
	free(a->locations.at);
	free(a->processes.at);
	free(a->groups.at);
	free(a->comms.at);
	free(a->members.at);
	free(a->metrics.at);
	free(a->parameters.at);
	hash_table_free(&a->numbers);
}

#else
typedef int otf2_archive_is_missing;
#endif
