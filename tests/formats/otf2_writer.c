/*
 * otf2_writer DIRECTORY: an archive as measurement systems for MPI write them: two ranks, with regions that nest,
 * messages, a barrier, locks, threads, a metric and a parameter; and location-wise numbers of regions, which only the
 * local definitions map to the global ones.
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 2, ROUNDS = 20, STEP = 1000 };
enum string {
	EMPTY,
	MAIN,
	COMPUTE,
	SEND,
	RECEIVE,
	BARRIER,
	WORLD,
	MACHINE,
	RANK0,
	RANK1,
	THREAD,
	FLOPS,
	SIZE,
	STRINGS
};
enum region { R_MAIN, R_COMPUTE, R_SEND, R_RECEIVE, R_BARRIER, REGIONS };

static const char *const strings[STRINGS] = {
    "",           "main",        "compute<int>()", "MPI_Send",
    "MPI_Recv",   "MPI_Barrier", "MPI_COMM_WORLD", "machine",
    "MPI Rank 0", "MPI Rank 1",  "Master thread",  "FLOPS",
    "size"};

static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
			    void *writer, bool final)
{
	(void)context, (void)type, (void)location, (void)writer, (void) final;
	return OTF2_FLUSH;
}

static void good(OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "otf2_writer: %s\n", OTF2_Error_GetDescription(code));
	exit(1);
}

/* Regions have other numbers in the second location. */
static OTF2_RegionRef local(unsigned rank, enum region r)
{
	return rank ? REGIONS - 1 - r : (OTF2_RegionRef)r;
}

/* Rank 0 computes, then sends; rank 1 waits for it; both meet in a barrier. */
static void round_write(OTF2_EvtWriter *w, unsigned rank, unsigned i)
{
	OTF2_TimeStamp t = STEP * (i + 1);

	good(OTF2_EvtWriter_Enter(w, NULL, t, local(rank, rank ? R_RECEIVE : R_COMPUTE)));
	if (rank == 0) {
		OTF2_MetricValue value = {.floating_point = 1.5};
		OTF2_Type type = OTF2_TYPE_DOUBLE;

		good(OTF2_EvtWriter_Metric(w, NULL, t + 10, 0, 1, &type, &value));
		good(OTF2_EvtWriter_Leave(w, NULL, t + 700, local(rank, R_COMPUTE)));
		good(OTF2_EvtWriter_Enter(w, NULL, t + 700, local(rank, R_SEND)));
		good(OTF2_EvtWriter_ParameterInt(w, NULL, t + 705, 0, -7));
		good(OTF2_EvtWriter_MpiSend(w, NULL, t + 710, 1, 0, 42, 4096));
		good(OTF2_EvtWriter_Leave(w, NULL, t + 720, local(rank, R_SEND)));
	} else {
		good(OTF2_EvtWriter_MpiRecv(w, NULL, t + 730, 0, 0, 42, 4096));
		good(OTF2_EvtWriter_Leave(w, NULL, t + 731, local(rank, R_RECEIVE)));
	}
	good(OTF2_EvtWriter_ThreadAcquireLock(w, NULL, t + 740 + 10 * rank, OTF2_PARADIGM_PTHREAD,
					      9, 2 * i + rank));
	good(OTF2_EvtWriter_ThreadReleaseLock(w, NULL, t + 745 + 10 * rank, OTF2_PARADIGM_PTHREAD,
					      9, 2 * i + rank));
	good(OTF2_EvtWriter_Enter(w, NULL, t + 800 + 100 * rank, local(rank, R_BARRIER)));
	good(OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, t + 801 + 100 * rank));
	good(OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, t + 910, OTF2_COLLECTIVE_OP_BARRIER, 0,
					     OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
	good(OTF2_EvtWriter_Leave(w, NULL, t + 912, local(rank, R_BARRIER)));
}

static uint64_t location_write(OTF2_Archive *a, unsigned rank)
{
	OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 10 + rank);
	uint64_t n;

	good(OTF2_EvtWriter_Enter(w, NULL, 500, local(rank, R_MAIN)));
	for (unsigned i = 0; i < ROUNDS; i++)
		round_write(w, rank, i);
	good(OTF2_EvtWriter_Leave(w, NULL, STEP * (ROUNDS + 1), local(rank, R_MAIN)));
	good(OTF2_EvtWriter_GetNumberOfEvents(w, &n));
	good(OTF2_Archive_CloseEvtWriter(a, w));
	return n;
}

static void local_definitions(OTF2_Archive *a)
{
	uint64_t map[REGIONS];

	for (unsigned i = 0; i < REGIONS; i++)
		map[i] = REGIONS - 1 - i;
	good(OTF2_Archive_OpenDefFiles(a));
	for (unsigned rank = 0; rank < RANKS; rank++) {
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(a, 10 + rank);
		OTF2_IdMap *regions = OTF2_IdMap_CreateFromUint64Array(REGIONS, map, false);

		if (rank)
			good(OTF2_DefWriter_WriteMappingTable(w, OTF2_MAPPING_REGION, regions));
		OTF2_IdMap_Free(regions);
		good(OTF2_Archive_CloseDefWriter(a, w));
	}
	good(OTF2_Archive_CloseDefFiles(a));
}

static void definitions(OTF2_Archive *a, const uint64_t *events)
{
	static const OTF2_RegionRole roles[REGIONS] = {
	    OTF2_REGION_ROLE_FUNCTION, OTF2_REGION_ROLE_FUNCTION, OTF2_REGION_ROLE_POINT2POINT,
	    OTF2_REGION_ROLE_POINT2POINT, OTF2_REGION_ROLE_BARRIER};
	OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(a);
	const uint64_t locations[RANKS] = {10, 11}, ranks[RANKS] = {0, 1};
	const OTF2_MetricMemberRef member = 0;

	/* a tick is 10 ns */
	good(OTF2_GlobalDefWriter_WriteClockProperties(w, 100000000, 100, STEP * (ROUNDS + 1),
						       1500000000000000000));
	for (OTF2_StringRef i = 0; i < STRINGS; i++)
		good(OTF2_GlobalDefWriter_WriteString(w, i, strings[i]));
	good(OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, MACHINE, MACHINE,
						      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (unsigned i = 0; i < RANKS; i++) {
		good(OTF2_GlobalDefWriter_WriteLocationGroup(w, i, RANK0 + i,
							     OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							     OTF2_UNDEFINED_LOCATION_GROUP));
		good(OTF2_GlobalDefWriter_WriteLocation(
		    w, locations[i], THREAD, OTF2_LOCATION_TYPE_CPU_THREAD, events[i], i));
	}
	for (unsigned i = 0; i < REGIONS; i++)
		good(OTF2_GlobalDefWriter_WriteRegion(
		    w, i, MAIN + i, MAIN + i, EMPTY, roles[i],
		    i < R_SEND ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
		    OTF2_UNDEFINED_STRING, 0, 0));
	good(OTF2_GlobalDefWriter_WriteGroup(w, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS,
					     OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS,
					     locations));
	good(OTF2_GlobalDefWriter_WriteGroup(w, 1, WORLD, OTF2_GROUP_TYPE_COMM_GROUP,
					     OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, RANKS,
					     ranks));
	good(OTF2_GlobalDefWriter_WriteComm(w, 0, WORLD, 1, OTF2_UNDEFINED_COMM,
					    OTF2_COMM_FLAG_NONE));
	good(OTF2_GlobalDefWriter_WriteMetricMember(w, 0, FLOPS, EMPTY, OTF2_METRIC_TYPE_OTHER,
						    OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE,
						    OTF2_BASE_DECIMAL, 0, EMPTY));
	good(OTF2_GlobalDefWriter_WriteMetricClass(w, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
						   OTF2_RECORDER_KIND_CPU));
	good(OTF2_GlobalDefWriter_WriteParameter(w, 0, SIZE, OTF2_PARAMETER_TYPE_INT64));
	good(OTF2_Archive_CloseGlobalDefWriter(a, w));
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	OTF2_Archive *a = argc == 2 ? OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE,
							1024 * 1024, 4 * 1024 * 1024,
							OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
				    : NULL;
	uint64_t events[RANKS];

	if (!a)
		return 2;
	good(OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL));
	good(OTF2_Archive_SetSerialCollectiveCallbacks(a));
	good(OTF2_Archive_OpenEvtFiles(a));
	for (unsigned i = 0; i < RANKS; i++)
		events[i] = location_write(a, i);
	good(OTF2_Archive_CloseEvtFiles(a));
	local_definitions(a);
	definitions(a, events);
	good(OTF2_Archive_Close(a));
	return 0;
}
