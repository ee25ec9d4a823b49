/*
 * OTF2 archives, as Score-P and others write them, and our own, which give back the events that
 * were exported.
 */
#include "base/array.h"
#include "base/output.h"
#include "config.h"
#include "formats/import.h"
#include <dirent.h>
#include <stdlib.h>

static bool is_anchor(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && strcmp(name + length - 5, ".otf2") == 0;
}

/* Returns the anchor file in a directory, or NULL. The caller frees it. */
static char *anchor_in(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	char *found = NULL;

	if (!directory)
		return NULL;
	while (!found && (entry = readdir(directory)))
		if (is_anchor(entry->d_name))
			found = text_format("%s/%s", path, entry->d_name);
	closedir(directory);
	return found;
}

/*
 * Returns the archive's anchor file, which is `in` or in it; NULL: there is none. The caller frees
 * it.
 */
static char *anchor_of(const struct import_input *in)
{
	if (in->directory)
		return anchor_in(in->path);
	return is_anchor(in->path) ? text_format("%s", in->path) : NULL;
}

static bool otf2_recognise(const struct import_input *in)
{
	char *anchor = anchor_of(in);
	bool is = anchor != NULL;

	free(anchor);
	return is;
}

#ifdef HAVE_OTF2

#include "base/progress.h"
#include "formats/otf2_definitions.h"
#include "formats/otf2_records.h"
#include "trace/address.h"

enum { TEXT_ROOM = 1 << 16 }; /* what is longer is cut, as any string of a log is */

struct otf2 {
	struct import_input *in;
	struct logs *logs;
	struct otf2_archive archive;
	struct otf2_records records;
	OTF2_Reader *reader;
	bool reported;
	bool optional;        /* what is opened need not be there */
	bool absent;          /* it was not */
	uint64_t left_out;    /* records that are not read */
	uint64_t undefined;   /* locations without a file of definitions */
	char text[TEXT_ROOM]; /* of text_value() */
};

/* ---- the library's errors ---- */

static OTF2_ErrorCode error_take(void *context, const char *file, uint64_t line,
				 const char *function, OTF2_ErrorCode code, const char *format,
				 va_list arguments)
{
	struct otf2 *o = context;
	char *what = text_vformat(format, arguments);

	(void)file, (void)line, (void)function;
	if (o->optional && code == OTF2_ERROR_ENOENT)
		o->absent = true;
	else if (!o->reported && code != OTF2_SUCCESS && code != OTF2_WARNING) {
		import_fail(o->in, "libotf2 cannot read it: %s: %s",
			    OTF2_Error_GetDescription(code), what);
		o->reported = true;
	}
	free(what);
	return code;
}

/* ---- our own archives ---- */

static unsigned hexadecimal(const char *digits, unsigned n)
{
	char text[8] = "";

	memcpy(text, digits, n);
	return (unsigned)strtoul(text, NULL, 16);
}

static size_t unicode_put(char *to, unsigned character)
{
	if (character < 0x800) {
		to[0] = (char)(0xc0 | character >> 6);
		to[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	to[0] = (char)(0xe0 | character >> 12);
	to[1] = (char)(0x80 | (character >> 6 & 0x3f));
	to[2] = (char)(0x80 | (character & 0x3f));
	return 3;
}

/* Writes what an escape or a byte at the text stands for; returns the bytes of it. */
static size_t unescape(char **to, const char *text)
{
	static const char letters[] = "\\ntr", meant[] = "\\\n\t\r";
	const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;

	if (letter) {
		*(*to)++ = meant[letter - letters];
		return 2;
	}
	if (*text == '\\' && text[1] == 'x' && strnlen(text, 4) == 4) {
		*(*to)++ = (char)hexadecimal(text + 2, 2);
		return 4;
	}
	if (*text == '\\' && text[1] == 'u' && strnlen(text, 6) == 6) {
		*to += unicode_put(*to, hexadecimal(text + 2, 4));
		return 6;
	}
	*(*to)++ = *text;
	return 1;
}

/* Undoes otf2_bytes(). The text is valid until the next call. */
static struct logs_value text_value(struct otf2 *o, const char *text)
{
	char *to = o->text;

	while (*text && to < o->text + sizeof o->text - 4)
		text += unescape(&to, text);
	return logs_bytes(o->text, (size_t)(to - o->text));
}

/*
 * Returns whether an address has that text without a name: its digits, or the number of an object.
 */
static bool is_nameless(const struct attribute *attribute, uint64_t address, const char *text)
{
	size_t length = strlen(attribute->name);
	char digits[ADDRESS_TEXT];

	if (!*text || strcmp(text, address_digits(digits, address)) == 0)
		return true;
	return attribute->type == TYPE_OBJECT && strncmp(text, attribute->name, length) == 0 &&
	       text[length] == ' ' && text[length + 1] &&
	       !text[length + 1 + strspn(text + length + 1, "0123456789")];
}

static void name_restore(struct otf2 *o, int64_t time, const struct attribute *attribute,
			 uint64_t address, const char *text)
{
	struct logs_value name;

	if (is_nameless(attribute, address, text))
		return;
	name = text_value(o, text);
	o->text[name.text.length] = '\0';
	logs_address_name(logs_thread_process(o->records.location->thread), time, address, o->text);
}

/* An attribute as the archive has it; an address has two: its number, and its text. */
struct otf2_attribute {
	OTF2_Type type;
	OTF2_AttributeValue value;
	const char *text;
};

/* Returns the place of an attribute of the archive in the event's, or -1. */
static int place_of(const struct event_type *type, const char *name)
{
	size_t length = strlen(name), suffix = strlen(OTF2_ADDRESS_SUFFIX);

	if (length > suffix && strcmp(name + length - suffix, OTF2_ADDRESS_SUFFIX) == 0)
		length -= suffix;
	for (unsigned i = 0; i < type->nattributes; i++)
		if (strncmp(type->attributes[i].name, name, length) == 0 &&
		    !type->attributes[i].name[length])
			return (int)i;
	return -1;
}

static void attributes_find(struct otf2 *o, const OTF2_AttributeList *list,
			    const struct event_type *type, struct otf2_attribute *found)
{
	uint32_t n = OTF2_AttributeList_GetNumberOfElements(list);

	for (uint32_t i = 0; i < n; i++) {
		OTF2_AttributeRef attribute;
		OTF2_AttributeValue value;
		OTF2_Type of;
		int place;

		OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &of, &value);
		place = place_of(type, otf2_attribute_name(&o->archive, attribute));
		if (place < 0)
			continue;
		if (of == OTF2_TYPE_STRING) {
			found[place].text = otf2_text(&o->archive, value.stringRef);
		} else {
			found[place].type = of;
			found[place].value = value;
		}
	}
}

static struct logs_value number_value(const struct otf2_attribute *f)
{
	switch (f->type) {
	case OTF2_TYPE_INT32:
		return logs_integer(f->value.int32);
	case OTF2_TYPE_INT64:
		return logs_integer(f->value.int64);
	case OTF2_TYPE_UINT32:
		return logs_natural(f->value.uint32);
	case OTF2_TYPE_UINT64:
		return logs_natural(f->value.uint64);
	case OTF2_TYPE_DOUBLE:
		return logs_real(f->value.float64);
	default:
		return logs_natural(0);
	}
}

static void event_restore(struct otf2 *o, struct logs_thread *t, int64_t time,
			  const struct logs_event *e, const OTF2_AttributeList *list)
{
	const struct event_type *type = logs_event_type(e);
	struct otf2_attribute *found = array_zero(type->nattributes, sizeof *found);
	struct logs_value *values = array_new(type->nattributes, sizeof *values);
	char **copies = array_zero(type->nattributes, sizeof *copies);

	attributes_find(o, list, type, found);
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *attribute = &type->attributes[i];

		values[i] = number_value(&found[i]);
		if (attribute->type == TYPE_STRING) {
			struct logs_value v = text_value(o, found[i].text ? found[i].text : "");

			copies[i] = array_new(v.text.length, 1);
			memcpy(copies[i], v.text.bytes, v.text.length);
			values[i] = logs_bytes(copies[i], v.text.length);
		} else if (type_is_symbolic(attribute->type) && found[i].text) {
			name_restore(o, time, attribute, values[i].natural, found[i].text);
		}
	}
	logs_write(t, time, e, values);
	for (unsigned i = 0; i < type->nattributes; i++)
		free(copies[i]);
	free(copies);
	free(values);
	free(found);
}

/* Any record may have an event. */
static void record_restore(struct otf2 *o, OTF2_TimeStamp time, const OTF2_AttributeList *list)
{
	uint32_t n = OTF2_AttributeList_GetNumberOfElements(list);
	const struct logs_event *e = NULL;

	for (uint32_t i = 0; i < n && !e; i++) {
		OTF2_AttributeRef attribute;
		OTF2_AttributeValue value;
		OTF2_Type type;

		OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value);
		if (type == OTF2_TYPE_STRING &&
		    strcmp(otf2_attribute_name(&o->archive, attribute), OTF2_EVENT_ATTRIBUTE) == 0)
			e = logs_event(o->logs, otf2_text(&o->archive, value.stringRef));
	}
	if (e)
		event_restore(o, o->records.location->thread, otf2_time(&o->archive, time), e,
			      list);
}

static OTF2_CallbackCode region_restore(OTF2_LocationRef location, OTF2_TimeStamp time,
					uint64_t position, void *context, OTF2_AttributeList *list,
					OTF2_RegionRef region)
{
	(void)location, (void)position, (void)region;
	record_restore(context, time, list);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode message_restore(OTF2_LocationRef location, OTF2_TimeStamp time,
					 uint64_t position, void *context, OTF2_AttributeList *list,
					 uint32_t peer, OTF2_CommRef comm, uint32_t tag,
					 uint64_t length)
{
	(void)location, (void)position, (void)peer, (void)comm, (void)tag, (void)length;
	record_restore(context, time, list);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode lock_restore(OTF2_LocationRef location, OTF2_TimeStamp time,
				      uint64_t position, void *context, OTF2_AttributeList *list,
				      OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	(void)location, (void)position, (void)model, (void)lock, (void)order;
	record_restore(context, time, list);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode parameter_restore(OTF2_LocationRef location, OTF2_TimeStamp time,
					   uint64_t position, void *context,
					   OTF2_AttributeList *list, OTF2_ParameterRef parameter,
					   OTF2_StringRef string)
{
	(void)location, (void)position, (void)parameter, (void)string;
	record_restore(context, time, list);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *restoring_callbacks(void)
{
	OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(c, region_restore);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, region_restore);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, message_restore);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, message_restore);
	OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(c, lock_restore);
	OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(c, lock_restore);
	OTF2_EvtReaderCallbacks_SetParameterStringCallback(c, parameter_restore);
	return c;
}

/* ---- threads ---- */

static void thread_make(struct otf2 *o, struct otf2_location *l)
{
	const struct otf2_archive *a = &o->archive;
	struct logs_process *process = NULL;
	struct logs_value name;

	for (size_t i = 0; i < a->processes.n && !process; i++)
		if (a->processes.at[i].self == l->group) {
			const struct otf2_process *p = &a->processes.at[i];

			name = text_value(o, otf2_text(a, p->name));
			o->text[name.text.length] = '\0';
			process = logs_process(o->logs, p->pid ? p->pid : p->self + 1, o->text);
		}
	if (!process)
		process = logs_process(o->logs, UINT32_MAX, "unknown");
	l->thread = logs_thread(process, l->tid);
	if (l->number >= 0)
		logs_thread_number(l->thread, (uint32_t)l->number);
	name = text_value(o, otf2_text(a, l->name));
	o->text[name.text.length] = '\0';
	logs_thread_name(l->thread, o->text);
}

/* ---- reading ---- */

/*
 * Reads the tables that say what the numbers of the location's records are among all definitions.
 * An archive need not have any. Returns false after a report.
 */
static bool local_definitions_read(struct otf2 *o)
{
	o->optional = true;
	if (OTF2_Reader_OpenDefFiles(o->reader) != OTF2_SUCCESS)
		return !o->reported;
	for (size_t i = 0; i < o->archive.locations.n; i++) {
		OTF2_DefReader *reader =
		    OTF2_Reader_GetDefReader(o->reader, o->archive.locations.at[i].self);
		uint64_t n;

		if (reader) {
			OTF2_Reader_ReadAllLocalDefinitions(o->reader, reader, &n);
			OTF2_Reader_CloseDefReader(o->reader, reader);
		}
		o->undefined += o->absent;
		o->absent = false;
	}
	OTF2_Reader_CloseDefFiles(o->reader);
	o->optional = false;
	return !o->reported;
}

static bool location_read(struct otf2 *o, struct otf2_location *l,
			  OTF2_EvtReaderCallbacks *callbacks, void *context)
{
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(o->reader, l->self);
	uint64_t n = 0, before = o->records.read;
	bool good;

	otf2_records_location(&o->records, l);
	good = reader &&
	       OTF2_Reader_RegisterEvtCallbacks(o->reader, reader, callbacks, context) ==
		   OTF2_SUCCESS &&
	       OTF2_Reader_ReadAllLocalEvents(o->reader, reader, &n) == OTF2_SUCCESS;
	if (reader)
		OTF2_Reader_CloseEvtReader(o->reader, reader);
	o->left_out += n - (o->records.read - before);
	return good && !output_interrupted();
}

static bool locations_read(struct otf2 *o)
{
	bool ours = o->archive.spec != NULL;
	OTF2_EvtReaderCallbacks *callbacks =
	    ours ? restoring_callbacks() : otf2_records_callbacks();
	bool good = OTF2_Reader_OpenEvtFiles(o->reader) == OTF2_SUCCESS;

	for (size_t i = 0; i < o->archive.locations.n; i++)
		thread_make(o, &o->archive.locations.at[i]);
	for (size_t i = 0; good && i < o->archive.locations.n; i++) {
		progress_step(i, o->archive.locations.n);
		good = location_read(o, &o->archive.locations.at[i], callbacks,
				     ours ? (void *)o : (void *)&o->records);
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_CloseEvtFiles(o->reader);
	return good;
}

static bool types_make(struct otf2 *o)
{
	return o->archive.spec ? logs_spec(o->logs, o->archive.spec)
			       : otf2_records_begin(&o->records, &o->archive, o->logs);
}

static bool archive_read(struct otf2 *o)
{
	const struct otf2_archive *a = &o->archive;
	bool good;

	OTF2_Reader_SetSerialCollectiveCallbacks(o->reader);
	if (!otf2_archive_read(&o->archive, o->in, o->reader) || !types_make(o))
		return false;
	if (a->realtime && a->realtime != OTF2_UNDEFINED_TIMESTAMP)
		logs_realtime(o->logs, otf2_time(a, a->offset), (int64_t)a->realtime);
	for (size_t i = 0; i < a->locations.n; i++)
		OTF2_Reader_SelectLocation(o->reader, a->locations.at[i].self);
	good = local_definitions_read(o) && locations_read(o) && !o->records.failed;
	if (good && o->undefined && o->undefined < a->locations.n)
		import_passed_over(
		    o->in, o->undefined,
		    "locations have no file of definitions, as others do: what their "
		    "records mean may be wrong");
	if (good && !a->spec)
		import_passed_over(o->in, o->left_out,
				   "records of kinds that are not read were left out");
	if (!a->spec)
		otf2_records_end(&o->records, good);
	return good;
}

static bool otf2_read(struct import_input *in, struct logs *l)
{
	struct otf2 *o = array_zero(1, sizeof *o);
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(error_take, o);
	char *anchor = anchor_of(in);
	bool good;

	o->in = in;
	o->logs = l;
	o->reader = anchor ? OTF2_Reader_Open(anchor) : NULL;
	good = o->reader && archive_read(o);
	if (!good && !o->reported && !o->records.failed && !output_interrupted())
		import_fail(in, "this is no archive that libotf2 can read");
	otf2_archive_free(&o->archive);
	if (o->reader)
		OTF2_Reader_Close(o->reader);
	OTF2_Error_RegisterCallback(before, NULL);
	free(anchor);
	free(o);
	return good;
}

#else

static bool otf2_read(struct import_input *in, struct logs *l)
{
	(void)l;
	return import_built_without(in, "otf2", "libotf2-trace-dev");
}

#endif

const struct import_format import_otf2 = {
    .name = "otf2",
    .summary =
	"OTF2 archives, of Score-P and other tools for MPI: the directory, or its .otf2 file",
    .recognise = otf2_recognise,
    .read = otf2_read,
};
