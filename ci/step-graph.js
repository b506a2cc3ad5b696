'use strict';

const { spawn } = require('node:child_process');
const { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { notRunIn } = require('./unit/not-run');
const { whatFailed } = require('./unit/what-failed');

const signals = ['SIGINT', 'SIGTERM'];

/**
 * Runs steps, some at a time, each as soon as those are over that it comes after. What a step prints is shown whole when
 * it ends. One that fails does not keep the others from running. A signal reaches all that a step has started, which is
 * killed if it does not end of it.
 *
 * @param steps - `name`; `command`; `after`: names of steps; `makes`: files with results. One of an earlier run is removed
 *   before the step starts, and a step that ends without them has failed
 * @param atOnce - how many run at a time
 * @param say - prints a text
 * @param graceMs - milliseconds between a signal and the end of all; fewer for a graph that is a step of another one
 * @param beatMs - milliseconds between two lines about what is under way; without it, there are none
 * @returns `results` in the order in which the steps ended: `name`, `passed`, `seconds`, `notRun`: lines about what the
 *   step left out, `why`: lines that tell why it failed; `signal`, if one has ended it
 */
async function runGraph(steps, { cwd, atOnce, say, graceMs = 20_000, beatMs }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'verbspec-steps-'));
  const groups = new Set(); // of the steps under way, and after a signal of all that were
  const waiting = [...steps];
  let signal;
  let killing;
  const stop = (received) => {
    signal = received;
    waiting.length = 0;
    for (const group of groups) signalGroup(group, received);
    killing ??= setTimeout(() => groups.forEach((group) => signalGroup(group, 'SIGKILL')), graceMs);
  };
  for (const name of signals) process.on(name, stop);
  const underWay = new Map();
  const beat = beatMs && setInterval(() => underWay.forEach((step) => say(progressOf(step))), beatMs);
  try {
    const results = await runInOrder(waiting, atOnce, (step) => {
      say(`started  ${step.name}`);
      const file = path.join(folder, String(steps.indexOf(step)));
      underWay.set(step.name, { ...step, file, startedAt: performance.now() });
      const begun = (group) => groups.add(group);
      const over = (group) => signal ?? groups.delete(group);
      return runStep(step, { cwd, file, say, begun, over }).finally(() => underWay.delete(step.name));
    });
    // A step may have ended before what it has started: npm does.
    if (signal !== undefined) await areGone(groups, graceMs);
    return { results, signal };
  } finally {
    clearInterval(beat);
    clearTimeout(killing);
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
async function runStep({ name, command, makes = [] }, { cwd, file, say, begun, over }) {
  const startedAt = performance.now();
  const results = makes.map((made) => path.join(cwd, made));
  for (const result of results) rmSync(result, { force: true });
  const output = openSync(file, 'w');
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  if (child.pid !== undefined) begun(child.pid);
  const ended = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  over(child.pid);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const missing = results.find((result) => !existsSync(result));
  const failure = ended !== 0 ? `ended with ${ended}` : missing && `it has not made ${path.relative(cwd, missing)}`;
  const text = readFileSync(file, 'utf8');
  say(`\n== ${name}\n${text}`);
  say(failure === undefined ? `passed in ${seconds} s\n` : `FAILED in ${seconds} s: ${failure}\n`);
  const why = failure === undefined ? [] : [failure, ...whatFailed(text)];
  return { name, passed: failure === undefined, seconds, notRun: notRunIn(text), why };
}

/** @returns whether there is any process in it */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** Where nobody waits for what has ended, as in some containers, a group stays: all of them have the time together. */
async function areGone(groups, graceMs) {
  const until = performance.now() + graceMs;
  for (const group of groups) while (signalGroup(group, 0) && performance.now() < until) await sleep(50);
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
