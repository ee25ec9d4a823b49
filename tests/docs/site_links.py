"""Checks the links of a web site in a folder: site_links.py SITE. Prints each that leads nowhere.

A link leads to a file of the site, and if it has an anchor, to an id of that page. Links to other sites are not
followed. Each page is reached from the first one.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.unnamed = [], set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("id"):
            self.ids.add(attrs["id"])
        if tag in ("a", "link") and "href" in attrs:
            self.links.append(attrs["href"])
        if "src" in attrs:
            self.links.append(attrs["src"])
        if tag == "img" and not attrs.get("alt"):
            self.unnamed += 1


def main():
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in site.rglob("*.html")}
    wrong, leads = [], {}
    for path, page in pages.items():
        name = path.relative_to(site)
        leads[path] = set()
        if page.unnamed:
            wrong.append(f"{name}: {page.unnamed} pictures without a text")
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                if parts.scheme not in ("http", "https"):
                    wrong.append(f"{name}: {link} is no link of the web")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if site not in target.parents or not target.is_file():
                wrong.append(f"{name}: {link} does not exist")
                continue
            leads[path].add(target)
            if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{name}: {link} has no such anchor")
    reached, new = set(), {site / "index.html"}
    while new:
        reached |= new
        new = {t for path in new for t in leads.get(path, ())} - reached
    wrong += [f"{path.relative_to(site)}: no page leads there" for path in pages.keys() - reached]
    print("\n".join(sorted(wrong)) or f"{sum(len(p.links) for p in pages.values())} links of {len(pages)} pages lead somewhere")
    return bool(wrong)


sys.exit(main())
