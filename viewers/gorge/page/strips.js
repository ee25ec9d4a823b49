/*
 * Level lines, of which a dense picture has ten thousands: "y: gap length gap length ...;y: ...". They are
 * written as pixels into one image, which is then laid over the rest: that costs a tenth of as many rectangles.
 */
const strips = (() => {
	/* Texts shorter than this in all are painted as rectangles. */
	const FEW = 3000;
	let layer = null, image = null, pixels = null;

	/* Calls take(x, y, length) for each; y is that of the middle. */
	function each(text, take) {
		let at = 0, c = 0;

		/* A decimal number; behind it stands one sign, which becomes c. */
		function next() {
			let n = 0, scale = 0, sign = 1;
			c = text.charCodeAt(at++);
			if (c === 45) {
				sign = -1;
				c = text.charCodeAt(at++);
			}
			for (; c >= 46 && c <= 57; c = text.charCodeAt(at++))
				if (c === 46)
					scale = 1;
				else
					[n, scale] = [n * 10 + c - 48, scale * 10];
			return sign * n / (scale || 1);
		}

		do {
			const y = next();
			let x = 0;
			/* behind a line's colon stands a space, as behind each length but the last */
			for (c = text.charCodeAt(at++); c === 32;) {
				x += next();
				const length = next();
				take(x, y, length);
				x += length;
			}
		} while (c === 59);
	}

	/* ---- as rectangles ---- */

	/* They are painted faster than lines that are as broad, and still faster when their edges are those of pixels. */
	function paintRectangles(context, [colour, pen, text]) {
		const ratio = window.devicePixelRatio || 1, snap = (y) => Math.round(y * ratio) / ratio;
		context.fillStyle = colour;
		each(text, (x, y, length) => {
			const top = snap(y - pen / 2);
			context.fillRect(x, top, length, Math.max(snap(y + pen / 2) - top, 1 / ratio));
		});
	}

	/* ---- as pixels ---- */

	function clear(width, height) {
		if (!layer || layer.width !== width || layer.height !== height) {
			layer = new OffscreenCanvas(width, height);
			image = new ImageData(width, height);
			pixels = new Uint32Array(image.data.buffer);
		} else {
			pixels.fill(0);
		}
	}

	/* A pixel of which the strip covers a share. */
	function blend(at, colour, share) {
		const data = image.data, below = data[4 * at + 3] / 255 * (1 - share), all = share + below;
		for (let i = 4 * at, k = 0; k < 3; k++)
			data[i + k] = (colour[k] * share + data[i + k] * below) / all;
		data[4 * at + 3] = 255 * all;
	}

	/* x, y are where the picture's origin lies in the image. */
	function putAll([code, pen, text], x0, y0, ratio) {
		const width = image.width, height = image.height;
		const colour = new Uint8ClampedArray([1, 3, 5, 7].map((i) => parseInt(code.slice(i, i + 2), 16)));
		const value = new Uint32Array(colour.buffer)[0];
		each(text, (x, y, length) => {
			const top = Math.round((y - pen / 2) * ratio + y0), left = Math.max(x * ratio + x0, 0);
			const bottom = Math.min(Math.max(Math.round((y + pen / 2) * ratio + y0), top + 1), height);
			const right = Math.min((x + length) * ratio + x0, width);
			const first = Math.ceil(left - 0.02), last = Math.floor(right + 0.02);
			for (let row = Math.max(top, 0); row < bottom && left < right; row++) {
				const at = row * width;
				for (let i = at + first; i < at + last; i++)
					pixels[i] = value;
				if (first > left + 0.02)
					blend(at + first - 1, colour, Math.min(first, right) - left);
				if (right > last + 0.02 && last >= first)
					blend(at + last, colour, right - last);
			}
		});
	}

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
		layer.getContext("2d", { willReadFrequently: true }).putImageData(image, 0, 0);
		context.save();
		context.resetTransform();
		context.drawImage(layer, 0, 0);
		context.restore();
	}

	return { paint };
})();
