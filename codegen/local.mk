# codegen: glimpsec.

bin_PROGRAMS += glimpsec
glimpsec_SOURCES = \
	codegen/c.c codegen/check_json.c codegen/dump.c codegen/emit.c codegen/estimate.c codegen/fortran.c \
	codegen/glimpsec.c codegen/guards.c codegen/java.c codegen/options.c codegen/reserved.c \
	codegen/target.c
glimpsec_LDADD = $(SPEC_LIBS)
dist_man_MANS += doc/man/glimpse.3 doc/man/glimpsec.1

# The stubs of a specification in this repository, by the glimpsec of this build. Where that cannot run, in a
# cross-build, by `make GLIMPSEC=PATH`, of the same version.
GLIMPSEC = ./glimpsec$(EXEEXT)
%_glimpse.c: %.spec glimpsec$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(GLIMPSEC) -Wno-unused-attribute -l c -o $(@D) $<
%_glimpse.h: %_glimpse.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }
