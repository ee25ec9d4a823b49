/* The page's painter: puts a drawing of the program on a canvas, as cairo puts it into a document. */
/* uses: strips */
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
