// Workers, processes and files, for same.test: output and exit status are always the same.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { spawnSync } = require('child_process');
const crypto = require('crypto');

if (isMainThread) {
	const workers = [1, 2, 3].map((n) => new Promise((done) => new Worker(__filename, { workerData: n }).on('message', done)));
	Promise.all(workers).then((sums) => {
		console.log(sums.join(' '));
		console.log(spawnSync('sh', ['-c', 'echo child; exit 4']).status);
		crypto.pbkdf2('word', 'salt', 1000, 16, 'sha256', (error, key) => {
			console.log(key.toString('hex'));
			require('fs').readFile('/nosuch', (failed) => {
				console.log(failed.code);
				process.exitCode = 6;
			});
		});
	});
} else {
	let sum = 0;
	for (let i = 0; i < 100000; i++)
		sum += i * workerData;
	parentPort.postMessage(sum);
}
