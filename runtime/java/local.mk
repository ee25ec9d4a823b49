# runtime/java: glimpse.jar, which annotated programs in Java have on their class path.

JAVA_RUNTIME = $(wildcard $(srcdir)/runtime/java/*.java $(srcdir)/runtime/java/glimpse/*.java)
CLEANFILES += glimpse.jar
glimpse.jar: $(JAVA_RUNTIME) runtime/java/make-jar runtime/java/manifest runtime/java/pom.xml
	$(AM_V_GEN)JAVAC='$(JAVAC)' JAR='$(JAR)' $(SHELL) $(srcdir)/runtime/java/make-jar $@ \
		runtime/java/manifest runtime/java/pom.xml '' $(srcdir)/runtime/java/module-info.java \
		$(srcdir)/runtime/java/glimpse/*.java
if JAVA
jardir = $(datadir)/java
jar_DATA = glimpse.jar
endif

# The jar in a local Maven repository, for builds that name glimpse:glimpse:VERSION.
MAVEN_REPOSITORY = $(HOME)/.m2/repository
install-maven: glimpse.jar runtime/java/pom.xml
	to='$(DESTDIR)$(MAVEN_REPOSITORY)/glimpse/glimpse/$(PACKAGE_VERSION)/glimpse-$(PACKAGE_VERSION)' && \
	$(MKDIR_P) "$${to%/*}" && $(INSTALL_DATA) glimpse.jar "$$to.jar" && $(INSTALL_DATA) runtime/java/pom.xml "$$to.pom"
.PHONY: install-maven
