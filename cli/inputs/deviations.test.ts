import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isSameData, UsageError } from '../../drivers/contract';
import { loadClauses } from '../../catalog/clauses';
import type { Deviation } from '../../catalog/deviations';
import { deviation, listOf } from '../../reports/fixtures/deviation';
import { showsIn, symptomsOf } from '../../catalog/symptom';
import { parseVerdicts, type DeviationEntry, type Verdicts } from '../../reports/judge/verdicts';
import { inProcess } from '../fixtures/in-process';
import { deviationsOfUser, knownDeviations, refuseClash } from './deviations';
import { featureRules } from './features';

const overrun = 'ibv_poll_cq.overrun-async-event';
const folder = mkdtempSync(join(tmpdir(), 'verbspec-deviations-'));
const listed = deviation({ rule: overrun, when: { provider: 'sim' } });
let files = 0;

/** Writes a list of deviations, one entry per line, or text as it is. */
function file(content: readonly object[] | string): string {
  const path = join(folder, `list-${(files += 1)}.json`);
  const text =
    typeof content === 'string'
      ? content
      : `{"schemaVersion": 2, "deviations": [\n${content.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}`;
  writeFileSync(path, text);
  return path;
}

/** What `verbspec run` of a page on the simulator came to. */
interface Result {
  readonly out: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly verdicts: Verdicts | undefined;
}

async function run(...args: string[]): Promise<Result> {
  const out = mkdtempSync(join(folder, 'out-'));
  const { code, stdout, stderr } = await inProcess(['run', '--out', out, ...args]);
  const isWritten = readdirSync(out).includes('verdicts.json');
  const verdicts = isWritten ? parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')) : undefined;
  return { out, code, stdout, stderr, verdicts };
}

function states({ verdicts }: Result): DeviationEntry['state'][] {
  return verdicts?.deviations?.map(({ state }) => state) ?? [];
}

after(() => {
  rmSync(folder, { recursive: true });
});

describe('verbspec run --deviations', () => {
  const faulty = [overrun, '--fault', 'overrun-is-silent'];

  it('takes what a run without the list wrote of the failure for its symptom, and no other value', async () => {
    const { out } = await run(...faulty);
    const written = readFileSync(join(out, 'failures.json'), 'utf8');
    const [{ symptom } = listed] = (JSON.parse(written) as { readonly deviations: readonly Deviation[] }).deviations;
    const [only] = symptomsOf({ symptom });
    assert.ok(typeof only === 'object');
    const shown = await run(...faulty, '--deviations', file([{ ...listed, symptom }]));
    assert.deepEqual([shown.code, states(shown)], [0, ['shown']], shown.stderr);
    const otherwise = { ...only, observed: 'otherwise' };
    const wrong = await run(...faulty, '--deviations', file([{ ...listed, symptom: otherwise }]));
    assert.deepEqual([wrong.code, states(wrong)], [1, ['wrong-symptom']], wrong.stderr);
  });

  it('takes a failure that the user has listed for known', async () => {
    const result = await run(...faulty, '--deviations', file([]), '--deviations', file([listed]));
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(states(result), ['shown']);
    assert.equal(result.verdicts?.rules[0]?.verdict, 'deviates');
  });

  for (const [state, args, entry] of [
    ['surprise', [overrun], listed],
    ['wrong-symptom', faulty, { ...listed, symptom: 'crash' }],
    ['expired', [overrun], { ...listed, expires: '2020-01-31' }],
    ['unused', [overrun], { ...listed, scenario: 'No such scenario' }],
  ] as const) {
    it(`fails the run when an entry is ${state}, and says where it is listed`, async () => {
      const path = file([listed, entry].slice(1));
      const result = await run(...args, '--deviations', path);
      assert.equal(result.code, 1, result.stderr);
      assert.deepEqual(states(result), [state]);
      assert.match(result.stdout, new RegExp(`^  ${state}: ${overrun}`, 'm'));
      assert.equal(result.verdicts?.deviations?.[0]?.listedAt, `${path}:2`);
    });
  }

  it('refuses what it cannot use with one line', async () => {
    const twice = file([listed, { ...listed, when: { driver: 'sim' } }]);
    const wrong = [
      [['--deviations', '/nonexistent.json'], /--deviations \/nonexistent\.json cannot be read: ENOENT/],
      [['--deviations', file('[{]')], /list-\d+\.json:1: is not valid JSON/],
      [['--deviations', twice], new RegExp(`two deviations are listed for ${overrun}.*:2 and at .*:3`)],
      [['--order', 'backwards'], /no order "backwards"/],
      [['--', '--order', 'backwards'], /no order "backwards"/],
    ] as const;
    const results = await Promise.all(wrong.map(([args]) => run(overrun, ...args)));
    for (const [index, { code, stderr, verdicts }] of results.entries()) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, wrong[index]?.[1] ?? /^$/);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.equal(verdicts, undefined);
    }
  });
});

describe('a clash that only the device shows', () => {
  it('is refused, and the device is let go', async () => {
    const driver = join(__dirname, '..', 'fixtures', 'closing-driver.ts');
    const { code, stderr } = await run(overrun, '--driver', driver, '--deviations', file([listed, listed]));
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^the device is let go\nverbspec: two deviations are listed/);
  });
});

describe('verbspec run --order random', () => {
  it('prints its seed, by which the run can be repeated', async () => {
    const { code, stdout, stderr, verdicts } = await run('ibv_modify_cq', '--order', 'random');
    assert.equal(code, 0, stderr);
    const order = verdicts?.order ?? '';
    assert.match(order, /^random:\d+$/);
    assert.ok(stderr.includes(`order ${order}\n`), stderr);
    assert.ok(stdout.replace(/\s+/g, ' ').includes(`order ${order} `), stdout);
  });
});

describe('a list of deviations', () => {
  it('may begin with a byte order mark', () => {
    const text = `\ufeff${JSON.stringify(listOf([listed]))}`;
    assert.equal(deviationsOfUser([file(text)], loadClauses()).length, 1);
  });

  it('that is nested too deep, or is not a file, is refused in a line', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [file('['.repeat(200_000)), /^\S+:1: is nested more than 64 levels deep; \S+ says what an entry has$/],
      [file(`[\n${'{"a":'.repeat(200_000)}`), /^\S+:2: is nested more than 64 levels deep/],
      [folder, /^--deviations \S+ cannot be read: it is a folder; name a JSON file$/],
    ];
    for (const [path, message] of wrong) {
      assert.throws(
        () => deviationsOfUser([path], loadClauses()),
        (error: Error) => error instanceof UsageError && message.test(error.message),
        path,
      );
    }
  });

  const clauses = loadClauses();
  const refused: readonly (readonly [string | readonly object[], RegExp])[] = [
    ['', /:1: is not valid JSON: ValueExpected/],
    ['[\n{"rule": "x",}\n]', /:2: is not valid JSON: /],
    [
      JSON.stringify([listed]),
      /:1: the list is of schema version 1, .* write it as \{"schemaVersion": 2.*schema\.json/,
    ],
    ['[] // none', /:1: is not valid JSON: /],
    ['{}', /:1: the list must have required property 'schemaVersion'; .*deviations\.schema\.json/],
    ['7', /:1: the list must be object; /],
    [
      [listed, { ...listed, rule: 'ibv_poll_cq.overrun-async-evnt' }],
      /:3: \/deviations\/1\/rule "[^"]+" is not a known rule; did you mean ibv_/,
    ],
    [
      [listed, { ...listed, rule: 'x.y' }],
      /:3: \/deviations\/1\/rule "x\.y" is not a known rule; `verbspec rules` lists them/,
    ],
    [[{ ...listed, when: { kernel: 'old' } }], /:2: \/deviations\/0\/when\/kernel "old" is not a range/],
    [
      [
        { ...listed, owner: '' },
        { ...listed, link: 'here' },
      ],
      /:2: \/deviations\/0\/owner .*; \S+:3: \/deviations\/1\/link /,
    ],
  ];

  for (const [content, message] of refused) {
    it(`is refused where it says ${JSON.stringify(content).slice(0, 60)}: ${message}`, () => {
      const path = file(content);
      assert.throws(
        () => deviationsOfUser([path], clauses),
        (error) => error instanceof UsageError && message.test(error.message) && error.message.startsWith(path),
      );
    });
  }

  it('names the line of a member, wherever it stands', () => {
    const path = file(JSON.stringify(listOf([{ ...listed, expires: '2027-02-30' }]), undefined, 2));
    assert.throws(() => deviationsOfUser([path], clauses), /:15: \/deviations\/0\/expires "2027-02-30" is not a date/);
  });

  it('may be as long as it is wrong, and only the first defects are reported', () => {
    const path = file(Array.from({ length: 9 }, () => ({ ...listed, symptom: '(' })));
    assert.throws(() => deviationsOfUser([path], clauses), /:4: \/deviations\/2\/symptom .*; and 6 more/);
  });

  it('comes with the suite, each entry for just what it compared', () => {
    const symptoms = knownDeviations(clauses).flatMap((entry) =>
      symptomsOf(entry).map((symptom) => ({ symptom, listedAt: entry.listedAt })),
    );
    for (const { symptom, listedAt } of symptoms) {
      assert.ok(typeof symptom === 'object', listedAt);
      const { step, subject, expected, observed } = symptom;
      assert.ok(step !== undefined && expected !== undefined && observed !== undefined, listedAt);
      assert.ok(!JSON.stringify(symptom).includes('*'), `${listedAt} names what was observed, and no pattern`);
      const failure = { step, subject, expected, observed };
      assert.ok(showsIn(symptom, failure), listedAt);
      for (const other of [null, [], 'otherwise', ['otherwise'], [observed], expected]) {
        if (!isSameData(other, observed)) assert.ok(!showsIn(symptom, { ...failure, observed: other }), listedAt);
        if (!isSameData(other, expected)) assert.ok(!showsIn(symptom, { ...failure, expected: other }), listedAt);
      }
      assert.ok(!showsIn(symptom, { ...failure, step: `${step} otherwise` }), listedAt);
      assert.ok(!showsIn(symptom, { ...failure, subject: `${subject} otherwise` }), listedAt);
    }
  });

  it('comes with the suite, and no device has two entries for a scenario', () => {
    const known = knownDeviations(clauses);
    for (const kernel of ['6.1.0-56-amd64', '6.12.117+deb13', '6.18-rc3', '7.2.13']) {
      for (const rdmaCore of ['44.0', '56.1', '65.1']) {
        refuseClash(known, { driver: 'soft-roce', dut: { provider: 'rxe', kernel, rdmaCore } }, featureRules());
      }
    }
    for (const { listedAt } of known) assert.match(listedAt ?? '', /^drivers\/deviations\/\w+\.json:\d+$/);
  });
});
