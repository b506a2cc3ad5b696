import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { scenariosOf } from '../../reports/judge/verdicts';
import { Command, filesWithoutHtml, until, verdictsIn, withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const waitingDriver = join(__dirname, '..', 'fixtures', 'waiting-driver.ts');
const rules = ['ibv_get_cq_event.get-returns-zero', 'ibv_resize_cq.returns-zero', 'ibv_req_notify_cq.one-shot'];

/** Each is tried with each, as they take the same way. */
const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

describe('a signal', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs on a driver that waits for ever in a phase, and says so, until a signal comes. */
  async function interruptedIn(phase: string, signal: NodeJS.Signals): Promise<CommandResult> {
    const out = join(folder, `${phase}-${signal}`);
    const env = { ...withoutJava, VERBSPEC_WAIT: phase };
    const command = new Command(['run', ...rules, '--driver', waitingDriver, '--out', out], env);
    await command.said(/the driver waits/);
    command.signal(signal);
    const result = await command.finish();
    await command.leavesNoProcess();
    return result;
  }

  for (const [signal, code] of signals) {
    it(`${signal} while the device is made ready leaves nothing`, async () => {
      assert.equal((await interruptedIn('start', signal)).code, code);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('start')),
        [],
      );
    });

    for (const phase of ['scenario', 'hang']) {
      it(`${signal} in a ${phase} ends the run in order: what ran is there, the rest is reported as broken`, async () => {
        const { code: found, stdout } = await interruptedIn(phase, signal);
        assert.equal(found, code, stdout);
        const scenarios = scenariosOf(verdictsIn(join(folder, `${phase}-${signal}`)));
        const at = scenarios.findIndex(({ verdict }) => verdict === 'broken');
        assert.ok(at > 0 && at < scenarios.length - 1, stdout);
        for (const { verdict } of scenarios.slice(0, at)) assert.equal(verdict, 'pass');
        for (const { verdict, detail = '' } of scenarios.slice(at)) {
          assert.equal(verdict, 'broken');
          assert.ok(detail.includes(`the run was interrupted by ${signal}`), detail);
        }
      });
    }

    it(`${signal} while Java makes the report ends Java, and the results are there`, async () => {
      const { home, isAtWork } = endlessJava(join(folder, `java-${signal}`));
      const out = join(folder, `report-${signal}`);
      const command = new Command(['run', ...rules, '--out', out], { JAVA_HOME: home });
      await until('Java is at work', isAtWork);
      command.signal(signal);
      assert.equal((await command.finish()).code, code);
      await command.leavesNoProcess();
      assert.deepEqual(readdirSync(out).sort(), filesWithoutHtml);
    });
  }

  it('that comes again while Java makes the report ends Java too', async () => {
    const { home, isAtWork } = endlessJava(join(folder, 'java-again'));
    const out = join(folder, 'again');
    const env = { JAVA_HOME: home, VERBSPEC_WAIT: 'scenario' };
    const command = new Command(['run', ...rules, '--driver', waitingDriver, '--out', out], env);
    await command.said(/the driver waits/);
    command.signal('SIGINT');
    await until('Java is at work', isAtWork);
    command.signal('SIGINT');
    assert.equal((await command.finish()).code, 130);
    await command.leavesNoProcess();
    assert.ok(scenariosOf(verdictsIn(out)).length > 0);
  });

  /** Interrupts a run into a folder that holds the results of a whole one. */
  async function interruptedAfterWhole(name: string, times: number): Promise<CommandResult & { readonly out: string }> {
    const out = join(folder, name);
    assert.equal((await inProcess(['run', 'ibv_req_notify_cq.one-shot', '--out', out])).code, 0);
    const phase = times === 1 ? 'scenario' : 'hang';
    const env = { ...withoutJava, VERBSPEC_WAIT: phase };
    const command = new Command(['run', ...rules, '--driver', waitingDriver, '--out', out], env);
    await command.said(/the driver waits/);
    for (let sent = 0; sent < times; sent++) command.signal(sent === 0 ? 'SIGINT' : 'SIGTERM');
    return { ...(await command.finish()), out };
  }

  it('leaves whole results as they were, and lays what ran beside them', async () => {
    const { code, stdout, out } = await interruptedAfterWhole('whole', 1);
    assert.equal(code, 130);
    assert.match(stdout, /^verdicts +.*whole\.interrupted\/verdicts\.json$/m);
    assert.match(stdout, /^earlier run +.*whole, as it was: this one is not whole$/m);
    assert.deepEqual([...new Set(scenariosOf(verdictsIn(out)).map(({ verdict }) => verdict))], ['pass']);
    assert.ok(scenariosOf(verdictsIn(`${out}.interrupted`)).some(({ verdict }) => verdict === 'broken'));
  });

  it('that another follows at once leaves whole results as they were', async () => {
    const { out, stderr } = await interruptedAfterWhole('twice', 2);
    assert.deepEqual([...new Set(scenariosOf(verdictsIn(out)).map(({ verdict }) => verdict))], ['pass']);
    assert.deepEqual(readdirSync(out).sort(), filesWithoutHtml, stderr);
    assert.ok(existsSync(join(`${out}.interrupted`, 'messages.ndjson')), stderr);
  });

  it('leaves no partial results behind', () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});

/** A Java that never comes to an end. */
function endlessJava(home: string): { home: string; isAtWork: () => boolean } {
  const started = join(home, 'started');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'java'), `#!/bin/sh\n: >'${started}'\nexec sleep 600\n`, { mode: 0o755 });
  return { home, isAtWork: () => existsSync(started) };
}
