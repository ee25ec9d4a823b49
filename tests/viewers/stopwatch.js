/*
 * STOPWATCH, run in gorge's page, measures frames: stopwatch.times gets the milliseconds from an event of the wheel
 * or of a key, or from stopwatch.start(), to the moment behind the frame in which the next picture of the window
 * that is shown is painted.
 */
"use strict";

const STOPWATCH = `
	window.stopwatch = (() => {
		const times = [], behind = new MessageChannel();
		let begun = null, last = null;

		function start(time) {
			if (begun !== null)
				return;
			begun = time;
			last = view.state.picture;
		}

		/* What is posted while a frame is painted comes when that frame is done. */
		behind.port1.onmessage = () => {
			times.push(performance.now() - begun);
			begun = null;
		};
		view.onPaint((context, picture) => {
			if (begun === null || picture === last ||
			    picture.from !== view.state.from || picture.to !== view.state.to)
				return;
			last = picture;
			behind.port2.postMessage(0);
		});
		for (const type of ["wheel", "keydown"])
			window.addEventListener(type, (event) => start(event.timeStamp), true);
		return { times, start };
	})();`;

module.exports = { STOPWATCH };
