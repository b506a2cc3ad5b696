'use strict';

// Keeps one CPU busy for as long as the process lives whose number it is given, however that ends.

const parent = Number(process.argv[2]);
const turns = 10_000_000;

while (process.ppid === parent) {
  let value = 1;
  for (let turn = 0; turn < turns; turn++) value = (value * 48_271) % 2_147_483_647;
}
