package glimpse.probe;

import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes the methods that are asked for call Calls.enter() first and Calls.leave() last. */
public final class Instrument implements ClassFileTransformer {
	private static final int API = Opcodes.ASM9;
	private final Pattern wanted;
	private final Method number;

	public Instrument(String patterns) throws ReflectiveOperationException {
		StringBuilder all = new StringBuilder();
		for (String pattern : patterns.split(",")) {
			if (pattern.isEmpty())
				continue;
			all.append(all.length() > 0 ? "|" : "").append("\\Q");
			all.append(pattern.replace("*", "\\E.*\\Q")).append("\\E");
		}
		wanted = Pattern.compile(all.toString());
		number = Class.forName("glimpse.probe.Calls", true, null).getDeclaredMethod("number", String.class);
		number.setAccessible(true);
	}

	@Override
	public byte[] transform(ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
		if (name == null || before != null || name.startsWith("glimpse/probe/") || version(bytes) < Opcodes.V1_6)
			return null;
		try {
			ClassReader reader = new ClassReader(bytes);
			Classes changed = new Classes(name.replace('/', '.'), new ClassWriter(reader, 0));
			reader.accept(changed, ClassReader.EXPAND_FRAMES);
			return changed.methods > 0 ? changed.writer.toByteArray() : null;
		} catch (Throwable t) {
			System.err.println("glimpse: methods of " + name + " are not recorded: " + t);
			return null;
		}
	}

	private static int version(byte[] bytes) {
		return (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
	}

	private final class Classes extends ClassVisitor {
		final ClassWriter writer;
		final String name;
		String file;
		int methods;

		Classes(String name, ClassWriter writer) {
			super(API, writer);
			this.writer = writer;
			this.name = name;
		}

		@Override
		public void visitSource(String source, String debug) {
			file = source;
			super.visitSource(source, debug);
		}

		@Override
		public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
				String[] exceptions) {
			MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
			String full = name + "." + method;
			if (method.startsWith("<") || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0
					|| !wanted.matcher(full).matches())
				return next;
			methods++;
			return new Body(next, numberOf(file == null ? full : full + " (" + file + ")"));
		}

		private int numberOf(String text) {
			try {
				return (Integer) number.invoke(null, text);
			} catch (ReflectiveOperationException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	/** A method's body, within a handler of all that it throws. */
	private static final class Body extends MethodVisitor {
		private final int number;
		private final Label start = new Label(), end = new Label();

		Body(MethodVisitor next, int number) {
			super(API, next);
			this.number = number;
		}

		private void call(String name) {
			super.visitLdcInsn(number);
			super.visitMethodInsn(Opcodes.INVOKESTATIC, "glimpse/probe/Calls", name, "(I)V", false);
		}

		@Override
		public void visitCode() {
			super.visitCode();
			call("enter");
			super.visitLabel(start);
		}

		@Override
		public void visitInsn(int opcode) {
			if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN)
				call("leave");
			super.visitInsn(opcode);
		}

		/** Whatever locals the body has: the handler needs none. */
		@Override
		public void visitMaxs(int stack, int locals) {
			super.visitLabel(end);
			super.visitTryCatchBlock(start, end, end, null);
			super.visitFrame(Opcodes.F_NEW, 0, null, 1, new Object[] {"java/lang/Throwable"});
			call("leave");
			super.visitInsn(Opcodes.ATHROW);
			super.visitMaxs(Math.max(stack + 1, 2), locals);
		}
	}
}
