'use strict';

const { spawn } = require('node:child_process');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const signals = ['SIGINT', 'SIGTERM'];

/**
 * Runs steps, some at a time, each as soon as those are over that it comes after. What a step prints is shown whole when
 * it ends. One that fails does not keep the others from running.
 *
 * @param steps - `name`, `command`, `after`: names of steps
 * @param atOnce - how many run at a time
 * @param say - prints a text
 * @returns `results` in the order in which the steps ended: `name`, `passed`, `seconds`; `signal`, if one has ended it
 */
async function runGraph(steps, { cwd, atOnce, say }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'verbspec-steps-'));
  const children = new Set();
  const waiting = [...steps];
  let signal;
  const stop = (received) => {
    signal = received;
    waiting.length = 0;
    for (const child of children) child.kill(received);
  };
  for (const name of signals) process.on(name, stop);
  try {
    const results = await runInOrder(waiting, atOnce, (step) => {
      say(`started  ${step.name}`);
      return runStep(step, { cwd, file: path.join(folder, String(steps.indexOf(step))), children, say });
    });
    return { results, signal };
  } finally {
    for (const name of signals) process.off(name, stop);
    rmSync(folder, { recursive: true });
  }
}

/** @param waiting - loses what is started */
async function runInOrder(waiting, atOnce, run) {
  const running = new Map();
  const results = [];
  const isOver = (name) => !waiting.some((step) => step.name === name) && !running.has(name);
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < atOnce ? waiting.findIndex(({ after = [] }) => after.every(isOver)) : -1;
    if (next >= 0) {
      const [step] = waiting.splice(next, 1);
      running.set(step.name, run(step));
      continue;
    }
    if (running.size === 0) throw new Error(`no step can start: ${waiting.map(({ name }) => name).join(', ')}`);
    const result = await Promise.race(running.values());
    running.delete(result.name);
    results.push(result);
  }
  return results;
}

/** stdout and stderr go to one file, so that their lines stay in order. */
async function runStep({ name, command }, { cwd, file, children, say }) {
  const startedAt = performance.now();
  const output = openSync(file, 'w');
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ['ignore', output, output] });
  closeSync(output);
  children.add(child);
  const ended = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  children.delete(child);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const passed = ended === 0;
  say(`\n== ${name}\n${readFileSync(file, 'utf8')}`);
  say(passed ? `passed in ${seconds} s\n` : `FAILED in ${seconds} s: ended with ${ended}\n`);
  return { name, passed, seconds };
}

module.exports = { runGraph };
