# packaging: how other builds find Glimpse.

# For CMake. What configure replaces is a directory that contains others.
cmakedir = $(libdir)/cmake/Glimpse
cmake_DATA = packaging/GlimpseConfig.cmake packaging/GlimpseConfigVersion.cmake
packaging/GlimpseConfig.cmake: packaging/GlimpseConfig.cmake.in Makefile
	$(AM_V_GEN)$(MKDIR_P) packaging && sed -e 's|@bindir[@]|$(bindir)|' -e 's|@includedir[@]|$(includedir)|' \
		-e 's|@libdir[@]|$(libdir)|' $(srcdir)/packaging/GlimpseConfig.cmake.in >$@
CLEANFILES += packaging/GlimpseConfig.cmake
installcheck-local:
	test -n "$(DESTDIR)" || bash $(srcdir)/tests/docs/prefix.sh $(bindir) $(libdir) $(srcdir)/doc/builds.md
