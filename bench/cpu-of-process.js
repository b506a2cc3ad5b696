'use strict';

// Required by a process, it writes the milliseconds of CPU that the process has taken to the file in VERBSPEC_BENCH_CPU.

const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.VERBSPEC_BENCH_CPU, String((user + system) / 1000));
});
