package glimpse.probe;

import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Instruments the methods that -javaagent:...=PATTERN,PATTERN names, of classes that are loaded from
 * now on. A pattern is of CLASS.METHOD, with * for any characters.
 */
public final class Agent {
	private static final String[] ASM = {"/usr/share/java/asm.jar"};

	private Agent() {
	}

	public static void premain(String patterns, Instrumentation jvm) {
		try {
			jvm.addTransformer(transformer(patterns));
		} catch (Throwable t) {
			System.err.println("glimpse: calls of methods are not recorded: " + t.getMessage());
		}
	}

	/**
	 * The program may have an ASM of its own, of another version: ours has a loader of its own, which
	 * first looks for the transformer there, and not where this class is.
	 */
	private static ClassFileTransformer transformer(String patterns) throws Exception {
		File own = new File(Agent.class.getResource("/glimpse/probe/Agent.class").getPath()
				.replaceFirst("^file:", "").replaceFirst("!.*", ""));
		URLClassLoader loader = new URLClassLoader(new URL[] {own.toURI().toURL(), asm().toURI().toURL()}, null) {
			@Override
			protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
				if (!name.startsWith("glimpse.probe.Instrument"))
					return super.loadClass(name, resolve);
				Class<?> loaded = findLoadedClass(name);
				return loaded != null ? loaded : findClass(name);
			}
		};
		return (ClassFileTransformer) loader.loadClass("glimpse.probe.Instrument")
				.getConstructor(String.class).newInstance(patterns);
	}

	private static File asm() {
		for (String path : ASM)
			if (new File(path).canRead())
				return new File(path);
		throw new IllegalStateException(ASM[0] + " is missing; apt install libasm-java");
	}
}
