# doc/site: the documents as a web site.

# The site is in site/ of the build directory; it needs pandoc and mandoc, and nothing that is built.
site:
	$(AM_V_GEN)bash $(srcdir)/doc/site/site.sh '$(srcdir)' site '$(PACKAGE_VERSION)'
.PHONY: site
clean-local:
	rm -rf site
