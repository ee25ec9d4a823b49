// Main waits for two workers; the render worker takes five times as long as the check worker.
const { Worker, isMainThread, workerData } = require('worker_threads');

function compute(n) {
	let x = 1;
	for (let i = 0; i < n; i++)
		x = (x * 1103515245 + 12345 + (x >>> 7)) | 0;
	return x;
}

function render(n) {
	return compute(n);
}

function check(n) {
	return compute(n);
}

if (isMainThread) {
	const n = Number(process.argv[2]) * 1e6;
	new Worker(__filename, { workerData: { kind: 'render', n } });
	new Worker(__filename, { workerData: { kind: 'check', n: 20e6 } });
} else if (workerData.kind === 'render') {
	render(workerData.n);
} else {
	check(workerData.n);
}
