import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { listOf } from '../../reports/fixtures/deviation';
import { hexOfBytes } from '../../reports/redaction/addresses';
import { verdictsIn, withoutJava } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';
import { digitsOf, linesOf, needlesOf, secretsOfRuns, type Secrets } from '../fixtures/secrets';
import type { Speech } from '../fixtures/talking-driver';
import { root } from '../common/project';

const driver = join(__dirname, '..', 'fixtures', 'talking-driver.ts');
const rules = ['ibv_req_notify_cq.one-shot', 'ibv_req_notify_cq.returns-zero', 'ibv_poll_cq.overrun-async-event'];
const folder = mkdtempSync(join(tmpdir(), 'verbspec-secrets-'));

/** Another seed finds what this one has not; VERBSPEC_SEED repeats one. */
const seed = Number(process.env.VERBSPEC_SEED ?? Date.now() % 1_000_000);
const runs = fc.sample(secretsOfRuns, { seed, numRuns: 2 });

after(() => {
  rmSync(folder, { recursive: true });
});

describe(`a redacted run whose device reports all (VERBSPEC_SEED=${seed})`, () => {
  for (const [index, secrets] of runs.entries()) {
    const hasHtml = index === 0;
    it(`${index + 1}: nothing of it is in any byte that the run writes`, async () => {
      const { place, env, args } = prepared(secrets, String(index));
      const java = hasHtml ? {} : withoutJava;
      const { code, stdout, stderr } = await inProcess([...args, '--redact'], { ...env, ...java });
      assert.ok(code === 1, `${code} ${stderr}`);
      const written = textsIn(join(place, 'out'));
      for (const [name, text] of [['stdout', stdout], ['stderr', stderr], ...written] as const) {
        const leaks = leaksIn(text, secrets);
        assert.deepEqual(leaks, [], `${name}\n${leaks.map((leak) => around(text, leak)).join('\n')}`);
      }
      const names = written.map(([name]) => name);
      for (const name of [
        'messages.ndjson',
        'index.html',
        'verdicts.json',
        'kernel.log',
        'junit.xml',
        'results.ktap',
        'edges.json',
      ]) {
        assert.ok(names.includes(name), name);
      }
    });
  }

  it('has the verdicts of a run that hides nothing', async () => {
    const [secrets] = runs;
    assert.ok(secrets);
    const { place, env, args } = prepared(secrets, 'plain');
    const { stdout, stderr } = await inProcess(args, { ...env, ...withoutJava });
    const verdicts = (out: string): unknown =>
      verdictsIn(out).rules.map(({ id, verdict, scenarios }) => [id, verdict, scenarios.map((one) => one.verdict)]);
    assert.deepEqual(verdicts(join(folder, '0', 'out')), verdicts(join(place, 'out')));
    for (const out of [join(folder, '0', 'out'), join(place, 'out')]) {
      assert.deepEqual(
        verdictsIn(out).deviations?.map(({ state }) => state),
        ['shown', 'unused'],
      );
      assert.ok(readdirSync(out).includes('failures.json'));
    }
    const all = [stdout, stderr, ...textsIn(join(place, 'out')).map(([, text]) => text)].join('\n');
    const leaks = leaksIn(all, secrets);
    const said = leaksIn(linesOf(secrets).join('\n'), secrets);
    assert.ok(said.length > 40);
    for (const secret of said) assert.ok(leaks.includes(secret), `${secret} would not be found`);
  });
});

/** A home, a list of deviations, a history and variables of a CI system, which all contain what shall be hidden. */
function prepared(secrets: Secrets, name: string): { place: string; env: NodeJS.ProcessEnv; args: string[] } {
  const { guid, ownIp, user, colleague, shortHost, domain, ciHost, gitHost, ticketHost, token, farHost } = secrets;
  const place = join(folder, name);
  const home = join(place, 'home', user);
  mkdirSync(join(home, 'history'), { recursive: true });
  const lines = linesOf(secrets);
  const groups = (hexOfBytes(guid).match(/.{4}/g) ?? []).join(':');
  const speech: Speech = {
    dut: { hcaId: `rocex${hexOfBytes(guid)}`, nodeGuid: groups, fwVer: `1.2.3 0x${hexOfBytes(guid)}` },
    gid: `0000:0000:0000:0000:0000:ffff:${(hexOfBytes(ownIp).match(/.{4}/g) ?? []).join(':')}`,
    hostNames: [farHost],
    lines,
    memory: `45${hexOfBytes(ownIp)}00${hexOfBytes(guid)}ff`,
  };
  writeFileSync(join(place, 'speech.json'), JSON.stringify(speech));
  const entry = {
    rule: rules[0],
    when: { driver },
    reason: `${groups} on host ${shortHost}, ask ${colleague}@${domain}: ${lines.join(' ')}`,
    link: `https://${user}:${token}@${ticketHost}/browse/${token}?key=${token}`,
    owner: `${colleague}@${domain}`,
  };
  const symptom = {
    subject: `*${hexOfBytes(guid)}*`,
    observed: { said: '*', memory: { bytes: speech.memory }, lines },
  };
  const list = [
    { ...entry, symptom },
    { ...entry, rule: rules[1], symptom: { subject: `never ${groups}` }, scenario: `of ${shortHost}` },
  ];
  writeFileSync(join(home, 'mine.json'), JSON.stringify(listOf(list)));
  const trend = [
    {
      data: { passed: 1 },
      buildOrder: 1,
      reportUrl: `https://${ciHost}/${token}?token=${token}`,
      reportName: lines.join(' '),
    },
  ];
  writeFileSync(join(home, 'history', 'history-trend.json'), JSON.stringify(trend));
  return {
    place,
    env: {
      VERBSPEC_TEST_SPEECH: join(place, 'speech.json'),
      HOME: home,
      JENKINS_URL: `https://${ciHost}/`,
      BUILD_URL: `https://${user}:${token}@${ciHost}/job/${colleague}/17/?token=${token}`,
      BUILD_NUMBER: '17',
      GIT_URL: `https://oauth2:${token}@${gitHost}/${colleague}/${token}.git`,
      GIT_COMMIT: '54554447e4ffb409079bcf192d73059d4fd66b81',
      GIT_LOCAL_BRANCH: `${user}/fix`,
      CI_SERVER_HOST: `${shortHost}.${domain}`,
      GITHUB_SERVER_URL: `https://${gitHost}`,
    },
    args: [
      ...['run', ...rules, '--driver', driver, '--out', join(place, 'out')],
      ...['--deviations', join(home, 'mine.json'), '--history', join(home, 'history')],
    ],
  };
}

/** The text of each file below a folder, and what is within it in base64. */
function textsIn(path: string): [string, string][] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry): [string, string][] => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    const inside = [...text.matchAll(/(?<=['"])[A-Za-z0-9+/]{20,}={0,2}(?=['"])/g)].map(([data]) =>
      Buffer.from(data, 'base64'),
    );
    return [
      [entry.name, text],
      ...inside.map((bytes): [string, string] => [`${entry.name}, base64`, bytes.toString()]),
    ];
  });
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text as it stands, and as readers of JSON, HTML and URLs see it. */
function readings(text: string): string[] {
  const json = text
    .replace(/\\u([0-9a-f]{4})/gi, (_found, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrtbf]/g, ' ')
    .replace(/\\+/g, '');
  const html = text
    .replace(/&#x([0-9a-f]+);/gi, (_found, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_found, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(\w+);/g, (found, word: string) => entities[word] ?? found);
  const url = text.replace(/%([0-9a-f]{2})/gi, (_found, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return [text, json, html, url].map((reading) => reading.toLowerCase());
}

function leaksIn(text: string, secrets: Secrets): string[] {
  const all = readings(text);
  const digits = all.map((reading) => reading.replace(/0x|[^0-9a-z]/g, ''));
  const paths = [root.toLowerCase() + '/', `home/${secrets.user}`];
  return [
    ...[...needlesOf(secrets), ...paths].filter((needle) => all.some((reading) => reading.includes(needle))),
    ...digitsOf(secrets).filter((needle) => digits.some((reading) => reading.includes(needle))),
  ];
}

function around(text: string, leak: string): string {
  const at = text.toLowerCase().indexOf(leak);
  return `${leak}: …${text.slice(Math.max(0, at - 80), at + 80)}…`;
}
