/*
 * STOPWATCH, run in gorge's page, measures frames: stopwatch.times gets the milliseconds from an event of the wheel
 * or of a key, or from stopwatch.start(), to the moment behind the frame in which the next picture of the window
 * that is shown is painted. stopwatch.first gets those to the first frame that shows the window, be it the last
 * picture stretched.
 */
"use strict";

const STOPWATCH = `
	window.stopwatch = (() => {
		const times = [], first = [], behind = new MessageChannel();
		let begun = null, last = null, shown = false;

		function start(time) {
			if (begun !== null)
				return;
			begun = time;
			last = view.state.picture;
			shown = false;
		}

		/* What is posted while a frame is painted comes when that frame is done. */
		behind.port1.onmessage = ({ data: list }) => {
			(list === "first" ? first : times).push(performance.now() - begun);
			if (list !== "first")
				begun = null;
		};
		view.on("paint", (context, picture) => {
			if (begun === null)
				return;
			if (!shown)
				behind.port2.postMessage("first");
			shown = true;
			if (picture === last || picture.from !== view.state.from || picture.to !== view.state.to)
				return;
			last = picture;
			behind.port2.postMessage("exact");
		});
		for (const type of ["wheel", "keydown"])
			window.addEventListener(type, (event) => start(event.timeStamp), true);
		return { times, first, start };
	})();`;

module.exports = { STOPWATCH };
