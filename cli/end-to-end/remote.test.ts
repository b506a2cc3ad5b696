import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { SshServer, type SshServerOptions } from '../../drivers/native/fixtures/ssh-server';
import { scenariosOf } from '../../reports/judge/verdicts';
import { verdictsIn, withoutJava } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

/** No trial asks for a text, so that the loss is one of scenarios. */
const rulesAroundTheLoss = [
  'ibv_get_cq_event.get-returns-zero',
  'ibv_req_notify_cq.one-shot',
  'ibv_event_type_str.event-type-str',
  'ibv_event_type_str.constant-string',
];

/** Source of a host whose device is the simulator. */
function simHost(...fate: string[]): string {
  const simulator = JSON.stringify(join(__dirname, '..', 'fixtures', 'sim-host.ts'));
  return `process.argv.splice(2, Infinity, ...${JSON.stringify(fate)});\nrequire(${simulator});`;
}

describe('verbspec run --host', () => {
  let folder: string;
  let server: SshServer;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-remote-'));
  });

  afterEach(() => server.close());

  after(() => {
    rmSync(folder, { recursive: true });
  });

  async function serve(options: SshServerOptions = {}): Promise<void> {
    server = new SshServer(options);
    await server.listen();
  }

  async function run(...args: string[]): Promise<{ code: number | null; said: string }> {
    const env = { ...withoutJava, VERBSPEC_SSH_CONFIG: server.config };
    const command = ['run', '--driver', 'hca', '--host', 'tester@testhost', '-d', 'sim0', ...args];
    const { code, stdout, stderr } = await inProcess(command, env);
    return { code, said: `${stdout}${stderr}` };
  }

  it('runs features where the device is', async () => {
    await serve();
    server.install('verbspec', simHost());
    const out = join(folder, 'pass');
    const { code, said } = await run('ibv_get_cq_event.get-returns-zero', '--out', out);
    assert.equal(code, 0, said);
    assert.ok(server.commands.length > 0);
  });

  it('reports a crash there, which costs its scenarios and no other', async () => {
    await serve();
    server.install('verbspec', simHost('crash', 'ibv_event_type_str'));
    const out = join(folder, 'crash');
    const { code, said } = await run(...rulesAroundTheLoss, '--out', out);
    assert.equal(code, 1, said);
    const scenarios = scenariosOf(verdictsIn(out));
    const crashed = scenarios.filter(({ verdict }) => verdict === 'crash');
    assert.equal(crashed.length, 2);
    for (const { detail } of crashed) assert.match(detail ?? '', /died of SIGSEGV in ibv_event_type_str/);
    assert.equal(scenarios.at(-1)?.verdict, 'pass');
  });

  it('loses its device with the connection: the results are whole, and the exit code is 3', async () => {
    await serve({ cutAt: 'ibv_event_type_str' });
    server.install('verbspec', simHost());
    const out = join(folder, 'cut');
    const { code, said } = await run(...rulesAroundTheLoss, '--out', out);
    assert.equal(code, 3, said);
    const verdicts = verdictsIn(out);
    const scenarios = scenariosOf(verdicts);
    assert.match(verdicts.dutLost ?? '', /^the connection to tester@testhost ended.* in ibv_event_type_str\(/);
    const firstLost = scenarios.findIndex(({ verdict }) => verdict === 'broken');
    assert.ok(firstLost > 0);
    for (const { verdict, detail } of scenarios.slice(firstLost)) {
      assert.equal(verdict, 'broken');
      assert.match(detail ?? '', /the connection to tester@testhost ended/);
    }
    assert.equal(server.commands.length, 1, 'the machine is not asked again');
    assert.match(said, /Problem: the device under test was lost/);
  });

  it('hides the machine where that is asked for', async () => {
    await serve({ cutAt: 'ibv_event_type_str' });
    server.install('verbspec', simHost());
    const out = join(folder, 'redacted');
    const { code, said } = await run(...rulesAroundTheLoss, '--redact', '--out', out);
    assert.equal(code, 3, said);
    const verdicts = readFileSync(join(out, 'verdicts.json'), 'utf8');
    assert.doesNotMatch(said + verdicts, /testhost/i);
    assert.match(verdicts, /the connection to user-\d@host-\d ended/);
  });

  it('reports a machine that lets nobody in with a line, and exit code 3', async () => {
    await serve({ acceptKey: false });
    const { code, said } = await run('--out', join(folder, 'refused'));
    assert.equal(code, 3, said);
    assert.match(
      said,
      /^verbspec: no host process can be started on tester@testhost: .*Permission denied.*; let `ssh/m,
    );
    assert.doesNotMatch(said, /\n {4}at /, 'a stack trace');
  });

  for (const [host, reason] of [
    ['-oProxyCommand=touch owned', /is not USER@HOST/],
    ['me@lab;reboot', /is not USER@HOST/],
    ['me@lab:$(reboot)', /is not USER@HOST/],
  ] as const) {
    it(`refuses --host ${JSON.stringify(host)}`, async () => {
      await serve();
      const { code, said } = await run('--host', host, '--out', join(folder, 'usage'));
      assert.equal(code, 2, said);
      assert.match(said, reason);
    });
  }
});
