'use strict';

const { spawn } = require('node:child_process');
const { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { notRunIn } = require('./unit/not-run');
const { whatFailed } = require('./unit/what-failed');

const signals = ['SIGINT', 'SIGTERM'];

/**
 * Runs steps, some at a time, each as soon as those are over that it comes after. What a step prints is shown whole when
 * it ends. One that fails does not keep the others from running.
 *
 * @param steps - `name`; `command`; `after`: names of steps; `makes`: files with results. One of an earlier run is removed
 *   before the step starts, and a step that ends without them has failed
 * @param atOnce - how many run at a time
 * @param say - prints a text
 * @param ownGroups - whether each step has a process group of its own, which a signal reaches as a whole
 * @param beatMs - milliseconds between two lines about what is under way; without it, there are none
 * @returns `results` in the order in which the steps ended: `name`, `passed`, `seconds`, `notRun`: lines about what the
 *   step left out, `why`: lines that tell why it failed; `signal`, if one has ended it
 */
async function runGraph(steps, { cwd, atOnce, say, ownGroups = false, beatMs }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'verbspec-steps-'));
  const children = new Set();
  const waiting = [...steps];
  let signal;
  const stop = (received) => {
    signal = received;
    waiting.length = 0;
    for (const child of children) killStep(child, received, ownGroups);
  };
  for (const name of signals) process.on(name, stop);
  const underWay = new Map();
  const beat = beatMs && setInterval(() => underWay.forEach((step) => say(progressOf(step))), beatMs);
  try {
    const results = await runInOrder(waiting, atOnce, (step) => {
      say(`started  ${step.name}`);
      const file = path.join(folder, String(steps.indexOf(step)));
      underWay.set(step.name, { ...step, file, startedAt: performance.now() });
      return runStep(step, { cwd, file, children, say, ownGroups }).finally(() => underWay.delete(step.name));
    });
    return { results, signal };
  } finally {
    clearInterval(beat);
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
async function runStep({ name, command, makes = [] }, { cwd, file, children, say, ownGroups }) {
  const startedAt = performance.now();
  const results = makes.map((made) => path.join(cwd, made));
  for (const result of results) rmSync(result, { force: true });
  const output = openSync(file, 'w');
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ['ignore', output, output], detached: ownGroups });
  closeSync(output);
  children.add(child);
  const ended = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  children.delete(child);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const missing = results.find((result) => !existsSync(result));
  const failure = ended !== 0 ? `ended with ${ended}` : missing && `it has not made ${path.relative(cwd, missing)}`;
  const text = readFileSync(file, 'utf8');
  say(`\n== ${name}\n${text}`);
  say(failure === undefined ? `passed in ${seconds} s\n` : `FAILED in ${seconds} s: ${failure}\n`);
  const why = failure === undefined ? [] : [failure, ...whatFailed(text)];
  return { name, passed: failure === undefined, seconds, notRun: notRunIn(text), why };
}

/** One that has not started, or that has just ended, has nothing to end. */
function killStep(child, signal, isGroup) {
  if (!isGroup) return child.kill(signal);
  if (child.pid === undefined || child.exitCode !== null) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

function progressOf({ name, file, startedAt }) {
  const last =
    readFileSync(file, 'utf8')
      .split(/[\r\n]/)
      .findLast((line) => line.trim() !== '') ?? '';
  const minutes = Math.round((performance.now() - startedAt) / 60_000);
  return `running  ${name} (${minutes} min): ${last.trim().slice(0, 100)}`;
}

module.exports = { runGraph };
