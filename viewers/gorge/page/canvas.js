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
	 * anew when one of what it is a picture of is another. Two sheets take turns: a new one each time costs the pages
	 * of its memory.
	 */
	function keep() {
		let of = [], sheet = null, other = null;

		/* draw paints in pixels of the page, of which there are width by height. */
		function fill(width, height, now, draw) {
			const ratio = window.devicePixelRatio || 1, key = [width, height, ratio, ...now];
			if (sheet && key.every((value, i) => value === of[i]))
				return;
			const wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(height * ratio));
			/* the one that was shown last may still be on its way to the screen */
			[sheet, other] = [other, sheet];
			if (!sheet || sheet.width !== wide || sheet.height !== high)
				sheet = new OffscreenCanvas(wide, high);
			const context = sheet.getContext("2d", { willReadFrequently: true });
			context.setTransform(ratio, 0, 0, ratio, 0, 0);
			context.clearRect(0, 0, width, height);
			context.save();
			draw(context);
			context.restore();
			/* painted now, and not with the frame that shows it */
			context.getImageData(0, 0, 1, 1);
			of = key;
		}

		/* Lays it over a canvas that has been fitted, from its upper left corner. */
		function show(context) {
			const ratio = window.devicePixelRatio || 1;
			context.imageSmoothingEnabled = false;
			context.drawImage(sheet, 0, 0, sheet.width / ratio, sheet.height / ratio);
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

	function paintText(context, item) {
		const [colour, text, x, y, size, bold, align, width] = item;
		context.fillStyle = colour;
		context.font = (bold ? "bold " : "") + size + "px " + FONT;
		context.textAlign = aligns[align];
		context.fillText(text, x, y, width > 0 ? width : undefined);
	}

	function paint(context, drawing) {
		context.lineJoin = "round";
		for (let i = 0, end; i < drawing.length; i = end) {
			const item = drawing[i];
			for (end = i + 1; item.length === 3 && end < drawing.length && drawing[end].length === 3;)
				end++;
			if (item.length === 3)
				strips.paint(context, drawing.slice(i, end));
			else if (item.length === 4)
				paintFigure(context, item);
			else
				paintText(context, item);
		}
	}

	return { fit, keep, paint };
})();
