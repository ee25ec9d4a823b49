# editors: highlighting of specifications. Vim finds what is installed here, with the prefix /usr; the rest is in the
# tarball.

vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = editors/vim/syntax/glimpse.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = editors/vim/ftdetect/glimpse.vim

# What clangd and other tools need: how each file is compiled. make prints the commands and runs none; what asks for the
# folder of an object makes it compile all of them, also where they are up to date.
compile_commands.json:
	$(AM_V_GEN)$(MAKE) -n V=1 AM_V_lt= $$(find . -name $(am__dirstamp) ! -path '*/.deps/*' | sed 's|^\./|-W |') \
		$(LIBRARIES) $(LTLIBRARIES) $(PROGRAMS) $(check_LIBRARIES) $(check_PROGRAMS) $(EXTRA_PROGRAMS) | \
		$(AWK) -v directory='$(abs_builddir)' -f $(srcdir)/editors/compile_commands.awk >$@.new
	@mv $@.new $@
.PHONY: compile_commands.json
CLEANFILES += compile_commands.json
