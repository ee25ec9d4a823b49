/*
 * Level lines, of which a dense picture has ten thousands: "!", y, and of each strip the gap to the one before and its
 * length, in tenths of a pixel; digits have five bits, the lowest first. They are written as pixels into one image,
 * which is then laid over the rest: that costs a tenth of as many rectangles.
 */
/* uses: none */
const strips = (() => {
	/* Texts shorter than this in all are painted as rectangles. */
	const FEW = 1000, TENTHS = 10;
	/* A pixel's parts; less than so many are nothing. */
	const BITS = 8, PARTS = 1 << BITS, NEAR = 5;
	const LAYERS = 4, layers = [];
	let turn = 0, image = null, pixels = null;
	/* Those of one text: x, y of the middle, length. */
	let read = new Int32Array(3 << 10);

	/* Reads them all; gives how many they are. */
	function decode(text) {
		const LAST = 35, OTHER = 93, LINE = 33, end = text.length;
		let at = 0, n = 0, x = 0, y = 0;

		/* Below the last digit are those that have a sign, above it those that go on. */
		function next() {
			let value = 0, shift = 0, c = text.charCodeAt(at++);
			for (; c >= OTHER; c = text.charCodeAt(at++), shift += 5)
				value += (c - OTHER) << shift;
			return value + ((c - LAST) << shift);
		}

		/* Those below zero are the odd ones. */
		function nextSigned() {
			const value = next();
			return value & 1 ? -(value >>> 1) - 1 : value >>> 1;
		}

		/* a strip takes two signs at least */
		if (read.length < 2 * end)
			read = new Int32Array(3 * end);
		while (at < end) {
			if (text.charCodeAt(at) === LINE) {
				at++;
				y = nextSigned();
				x = 0;
			}
			x += nextSigned();
			const length = next();
			read[n++] = x;
			read[n++] = y;
			read[n++] = length;
			x += length;
		}
		return n;
	}

	/* ---- as rectangles ---- */

	/* They are painted faster than lines that are as broad, and still faster when their edges are those of pixels. */
	function paintRectangles(context, [colour, pen, text]) {
		const ratio = window.devicePixelRatio || 1, snap = (y) => Math.round(y * ratio) / ratio;
		context.fillStyle = colour;
		for (let i = 0, n = decode(text); i < n; i += 3) {
			const y = read[i + 1] / TENTHS, top = snap(y - pen / 2);
			context.fillRect(read[i] / TENTHS, top, read[i + 2] / TENTHS,
				Math.max(snap(y + pen / 2) - top, 1 / ratio));
		}
	}

	/* ---- as pixels ---- */

	function clear(width, height) {
		if (!image || image.width !== width || image.height !== height) {
			image = new ImageData(width, height);
			pixels = new Int32Array(image.data.buffer);
		} else {
			pixels.fill(0);
		}
	}

	/* One that was not laid over the same picture before: while it waits to be painted it would be copied. */
	function nextLayer() {
		let layer = layers[turn = (turn + 1) % LAYERS];
		if (!layer || layer.width !== image.width || layer.height !== image.height)
			layer = layers[turn] = new OffscreenCanvas(image.width, image.height);
		layer.getContext("2d", { willReadFrequently: true }).putImageData(image, 0, 0);
		return layer;
	}

	/* A pixel of which the strip covers so many parts; most were empty. */
	function blend(at, value, parts) {
		const below = pixels[at], share = parts * 255 + PARTS / 2 >> BITS;
		const rest = (below >>> 24) * (PARTS - parts) >> BITS, all = share + rest;
		if (rest === 0) {
			pixels[at] = value & 0xffffff | share << 24;
			return;
		}
		const mix = (shift) => ((value >>> shift & 255) * share + (below >>> shift & 255) * rest) / all + 0.5 | 0;
		pixels[at] = mix(0) | mix(8) << 8 | mix(16) << 16 | all << 24;
	}

	/*
	 * From left to right, in parts of pixels; top: the first row, bottom: the one below the last. Whole numbers all:
	 * what the browser has compiled for them stays good.
	 */
	function put(left, right, top, bottom, value) {
		const width = image.width, first = left - NEAR + PARTS - 1 >> BITS, last = right + NEAR >> BITS;
		for (let at = top * width; at < bottom * width; at += width) {
			for (let i = at + first; i < at + last; i++)
				pixels[i] = value;
			if ((first << BITS) > left + NEAR)
				blend(at + first - 1, value, Math.min(first << BITS, right) - left);
			if (right > (last << BITS) + NEAR && last >= first)
				blend(at + last, value, right - (last << BITS));
		}
	}

	/* x0, y0 are where the picture's origin lies in the image. */
	function putAll([code, pen, text], x0, y0, ratio) {
		const width = image.width << BITS, height = image.height, scale = ratio / TENTHS * PARTS;
		const colour = new Uint8ClampedArray([1, 3, 5, 7].map((i) => parseInt(code.slice(i, i + 2), 16)));
		const value = new Int32Array(colour.buffer)[0], begin = x0 * PARTS + 0.5;
		for (let i = 0, n = decode(text); i < n; i += 3) {
			const y = read[i + 1] / TENTHS, x = Math.floor(read[i] * scale + begin) | 0;
			const top = Math.round((y - pen / 2) * ratio + y0) | 0, left = Math.max(x, 0);
			const bottom = Math.min(Math.max(Math.round((y + pen / 2) * ratio + y0) | 0, top + 1), height);
			const right = Math.min(Math.floor((read[i] + read[i + 2]) * scale + begin) | 0, width);
			if (left < right)
				put(left, right, Math.max(top, 0), bottom, value);
		}
	}

	/*
	 * A few strips with all that strips can be, before any is shown: else the first picture with another kind of them
	 * would wait until the browser has compiled this anew.
	 */
	function rehearse() {
		clear(16, 16);
		for (let i = 0; i < 100; i++)
			putAll(["#102030ff", 1 + i % 3, "!7+-$]$!A#(]$3#7%%"], i / 7, 0.25, 1 + i % 2 / 4);
	}
	rehearse();

	/* What is not turned or squeezed, and opaque. */
	function asPixels(context, items) {
		const ratio = window.devicePixelRatio || 1, t = context.getTransform();
		return items.reduce((n, item) => n + item[2].length, 0) > FEW && t.a === ratio && t.d === ratio &&
			items.every((item) => item[0].endsWith("ff"));
	}

	/* Paints strips that follow each other in a drawing. */
	function paint(context, items) {
		if (!asPixels(context, items)) {
			items.forEach((item) => paintRectangles(context, item));
			return;
		}
		const t = context.getTransform();
		clear(context.canvas.width, context.canvas.height);
		items.forEach((item) => putAll(item, t.e, t.f, t.a));
		context.save();
		context.resetTransform();
		context.drawImage(nextLayer(), 0, 0);
		context.restore();
	}

	return { paint };
})();
