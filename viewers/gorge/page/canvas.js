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

	/* Level lines, "y: gap length gap length ...;y: ...", as [x, y, length] each. */
	function strips(item) {
		const all = [];
		for (const line of item[2].split(";")) {
			const [y, pairs] = line.split(":"), numbers = pairs.split(" ");
			for (let i = 1, x = 0; i < numbers.length; i += 2) {
				x += +numbers[i];
				const length = +numbers[i + 1];
				all.push([x, +y, length]);
				x += length;
			}
		}
		return all;
	}

	/* Rectangles are painted faster than lines that are as broad. */
	function paintStrips(context, item) {
		const [colour, pen] = item;
		if (!item.read)
			item.read = strips(item);
		context.fillStyle = colour;
		for (const [x, y, length] of item.read)
			context.fillRect(x, y - pen / 2, length, pen);
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

	return { fit, paint, strips };
})();
