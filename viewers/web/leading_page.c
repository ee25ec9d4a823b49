#include "viewers/web/leading_page.h"
#include "base/array.h"

char *leading_page(const char *address)
{
	return text_format("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
			   "<meta name=\"referrer\" content=\"no-referrer\">\n"
			   "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n"
			   "<title>gorge</title>\n<p><a href=\"%s\">The view</a>\n</html>\n",
			   address, address);
}
