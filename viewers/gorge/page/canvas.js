/* The page's painter: puts a drawing of the program on a canvas, as cairo puts it into a document. */
const canvas = (() => {
	const aligns = ["left", "center", "right"];
	const FONT = 'Helvetica, Arial, "DejaVu Sans", sans-serif';

	/* Gives the canvas as many pixels as the screen has there. */
	function fit(element) {
		const ratio = window.devicePixelRatio || 1;
		const box = element.getBoundingClientRect();
		const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
		if (element.width !== width || element.height !== height) {
			element.width = width;
			element.height = height;
		}
		const context = element.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, box.width, box.height);
		return { context, width: box.width, height: box.height };
	}

	/*
	 * What is painted once and then shown in many frames, each for the price of a copy: it is painted
	 * anew when one of what it is a picture of is another.
	 */
	function keep() {
		let of = [], image = null;

		/* draw paints in pixels of the page, of which there are width by height. */
		function fill(width, height, now, draw) {
			const ratio = window.devicePixelRatio || 1, key = [width, height, ratio, ...now];
			if (image && key.every((value, i) => value === of[i]))
				return;
			const sheet = new OffscreenCanvas(Math.max(1, Math.round(width * ratio)),
				Math.max(1, Math.round(height * ratio)));
			const context = sheet.getContext("2d");
			context.scale(ratio, ratio);
			draw(context);
			if (image)
				image.close();
			image = sheet.transferToImageBitmap();
			of = key;
		}

		/* Lays it over a canvas that has been fitted, from its upper left corner. */
		function show(context) {
			const ratio = window.devicePixelRatio || 1;
			context.drawImage(image, 0, 0, image.width / ratio, image.height / ratio);
		}

		return { fill, show };
	}

	function paintFigure(context, item) {
		const [colour, pen, dashed] = item;
		/* a path is read once, however often it is painted */
		if (typeof item[3] === "string")
			item[3] = new Path2D(item[3]);
		if (pen > 0) {
			context.strokeStyle = colour;
			context.lineWidth = pen;
			context.setLineDash(dashed ? [3, 2] : []);
			context.stroke(item[3]);
		} else {
			context.fillStyle = colour;
			context.fill(item[3]);
		}
	}

	/* Reads decimal numbers one after the other; a sign stands behind each. */
	function numbers(text) {
		let at = 0;

		function next() {
			const sign = text[at] === "-" ? -1 : 1;
			let n = 0, scale = 0, c;
			if (sign < 0)
				at++;
			while ((c = text.charCodeAt(at)) >= 46 && c <= 57) {
				if (c === 46)
					scale = 1;
				else
					[n, scale] = [n * 10 + c - 48, scale * 10];
				at++;
			}
			return sign * n / (scale || 1);
		}

		return { next, skip: () => text[at++] };
	}

	/* Level lines, "y: gap length gap length ...;y: ...", as x, y, length of each, one after the other. */
	function strips(item) {
		const all = [], { next, skip } = numbers(item[2]);
		let more;
		do {
			const y = next();
			skip();
			for (let x = 0; (more = skip()) === " "; x += all[all.length - 1]) {
				x += next();
				skip();
				all.push(x, y, next());
			}
		} while (more);
		return all;
	}

	/*
	 * Rectangles are painted faster than lines that are as broad, and still faster when their edges are
	 * those of pixels.
	 */
	function paintStrips(context, item) {
		const [colour, pen] = item, ratio = window.devicePixelRatio || 1;
		if (!item.read)
			item.read = strips(item);
		const all = item.read, snap = (y) => Math.round(y * ratio) / ratio;
		context.fillStyle = colour;
		for (let i = 0, y, top, height; i < all.length; i += 3) {
			if (all[i + 1] !== y) {
				y = all[i + 1];
				top = snap(y - pen / 2);
				height = Math.max(snap(y + pen / 2) - top, 1 / ratio);
			}
			context.fillRect(all[i], top, all[i + 2], height);
		}
	}

	function paintText(context, item) {
		const [colour, text, x, y, size, bold, align, width] = item;
		context.fillStyle = colour;
		context.font = (bold ? "bold " : "") + size + "px " + FONT;
		context.textAlign = aligns[align];
		context.fillText(text, x, y, width > 0 ? width : undefined);
	}

	function paint(context, drawing) {
		context.lineJoin = "round";
		for (const item of drawing)
			if (item.length === 3)
				paintStrips(context, item);
			else if (item.length === 4)
				paintFigure(context, item);
			else
				paintText(context, item);
	}

	return { fit, keep, paint };
})();
