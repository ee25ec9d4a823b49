/*
 * Which lanes are in sight. Of a picture that is much higher than its room only those are asked for, and some above and below;
 * what is in the others is only counted.
 */
/* uses: none */
const viewport = (() => {
	/* So many times as high as the room; and so much of the room above and below. */
	const TALL = 3, NEAR = 0.5;
	const scroll = document.getElementById("scroll");

	function lanes(picture, beyond) {
		const height = scroll.clientHeight, from = scroll.scrollTop - beyond * height, to = scroll.scrollTop + (1 + beyond) * height;
		const first = picture.lanes.findIndex((l) => l.top + l.height > from);
		const behind = picture.lanes.findIndex((l) => l.top >= to);
		return [Math.max(first, 0), (behind < 0 ? picture.lanes.length : behind) - 1];
	}

	/* As the program wants it; undefined: all. By the lanes of the last picture, or of none. */
	function near(picture) {
		if (!picture || picture.height < TALL * scroll.clientHeight)
			return undefined;
		return lanes(picture, NEAR).join("-");
	}

	/* Whether the picture has all that is in sight. */
	function has(picture) {
		if (!picture.viewport)
			return true;
		const [first, last] = lanes(picture, 0), [from, to] = picture.viewport.split("-").map(Number);
		return from <= first && last <= to;
	}

	return { near, has };
})();
