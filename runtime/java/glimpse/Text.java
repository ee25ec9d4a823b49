package glimpse;

import java.nio.ByteBuffer;

/** Strings as in a log: length, UTF-8, zeros as padding. Written without a byte array. */
final class Text {
	static final int MOST = 4095;
	private static final int CUT = 0x80000000;

	private Text() {
	}

	/** Returns the code point at i; a question mark for half a surrogate pair. */
	private static int codePoint(String s, int i) {
		char c = s.charAt(i);

		if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
			return c;
		if (Character.isHighSurrogate(c) && i + 1 < s.length() &&
		    Character.isLowSurrogate(s.charAt(i + 1)))
			return Character.toCodePoint(c, s.charAt(i + 1));
		return '?';
	}

	private static int width(int point) {
		return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
	}

	private static String orNull(String s) {
		return s == null ? "(null)" : s;
	}

	static int size(String value) {
		String s = orNull(value);
		int bytes = 0;

		for (int i = 0; i < s.length(); i++) {
			int point = codePoint(s, i);
			int width = width(point);

			if (bytes + width > MOST)
				break;
			bytes += width;
			i += point >= 0x10000 ? 1 : 0;
		}
		return 4 + (bytes + 3 & ~3);
	}

	static void put(ByteBuffer map, int at, String value) {
		String s = orNull(value);
		int bytes = 0;
		int i = 0;

		for (; i < s.length(); i++) {
			int point = codePoint(s, i);

			if (bytes + width(point) > MOST)
				break;
			bytes = putPoint(map, at + 4, bytes, point);
			i += point >= 0x10000 ? 1 : 0;
		}
		map.putInt(at, i < s.length() ? bytes | CUT : bytes);
		for (int k = bytes; (k & 3) != 0; k++)
			map.put(at + 4 + k, (byte) 0);
	}

	private static int putPoint(ByteBuffer map, int at, int bytes, int point) {
		int width = width(point);
		int to = at + bytes;

		if (width == 1) {
			map.put(to, (byte) point);
			return bytes + 1;
		}
		for (int k = width - 1; k > 0; k--, point >>= 6)
			map.put(to + k, (byte) (0x80 | point & 0x3f));
		map.put(to, (byte) (0xf00 >> width | point));
		return bytes + width;
	}
}
