import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HarnessError } from '../../drivers/contract';
import { parseMessages } from '../../reports/recording/messages';
import { recordOutcomes } from '../../reports/fixtures/record-outcomes';
import { checkRules, type CheckOptions } from './check-rules';
import { PlantedProject, sound, soundClauses } from '../fixtures/planted-project';

const poll = 'features/cq/ibv_poll_cq.feature';
const resize = 'features/cq/ibv_resize_cq.feature';
const clausesOf = {
  poll: 'features/cq/ibv_poll_cq.clauses.json',
  resize: 'features/cq/ibv_resize_cq.clauses.json',
};

let project: PlantedProject;

beforeEach(() => {
  project = new PlantedProject();
});

afterEach(() => {
  project.remove();
});

async function check(options: CheckOptions = {}): Promise<{ code: number; lines: string[] }> {
  let output = '';
  const print = (text: string): void => void (output += text);
  const dryRun = (): Promise<[]> => Promise.resolve([]);
  const code = await checkRules({ project: project.folder, print, dryRun, ...options });
  return { code, lines: output.trimEnd().split('\n') };
}

/** Demands just these findings; one may be given by its beginning. */
async function assertFindings(expected: readonly string[], options: CheckOptions = {}): Promise<void> {
  const { code, lines } = await check(options);
  const found = lines.map((line, index) => (line.startsWith(expected[index] ?? '\n') ? expected[index] : line));
  assert.deepEqual(found, expected);
  assert.equal(code, 1);
}

/** A fault planted in a sound feature: what is replaced by what, and the findings it makes. */
interface Planted {
  readonly fault: string;
  readonly uri?: keyof typeof sound;
  readonly replace: readonly [string, string];
  /** The lines, or what they begin with. */
  readonly findings: readonly string[];
}

const planted: readonly Planted[] = [
  {
    fault: 'an unknown clause id that is near to one',
    replace: ['@ibv_poll_cq.fifo', '@ibv_poll_cq.fif'],
    findings: [
      `${clausesOf.poll}:3: clause ibv_poll_cq.fifo of ibv_poll_cq, DESCRIPTION, has no Rule; write one in ${poll}, or "statement" and, as the reason why not, "untested" here`,
      `${poll}:4: unknown clause id @ibv_poll_cq.fif; did you mean @ibv_poll_cq.fifo?`,
    ],
  },
  {
    fault: 'an unknown clause id that is near to none',
    replace: ['  @ibv_poll_cq.fifo\n', '  @ibv_poll_cq.fifo @ibv_poll_cq.something-else-altogether\n'],
    findings: [
      `${poll}:4: unknown clause id @ibv_poll_cq.something-else-altogether; \`verbspec rules ibv_poll_cq\` lists the ids of the page`,
    ],
  },
  {
    fault: 'two Rules with one id',
    replace: [
      '  @ibv_poll_cq.fifo\n',
      '  @ibv_poll_cq.fifo\n  Rule: One\n\n    Scenario: A\n      Then b\n\n  @ibv_poll_cq.fifo\n',
    ],
    findings: [`${poll}:10: @ibv_poll_cq.fifo stands already on the Rule at ${poll}:4; make them one Rule`],
  },
  {
    fault: 'a Rule without a clause id',
    replace: ['  @ibv_poll_cq.fifo\n', '  @needs.srq\n'],
    findings: [
      `${clausesOf.poll}:3: clause ibv_poll_cq.fifo of ibv_poll_cq, DESCRIPTION, has no Rule; write one in ${poll}, `,
      `${poll}:5: the Rule has no clause id; tag it with that of its clause`,
    ],
  },
  {
    fault: 'a Rule without a scenario, and a clause that has a Rule and a reason why not',
    replace: [
      '  @ibv_poll_cq.fifo\n',
      '  @ibv_poll_cq.overrun\n  Rule: None\n\n    It takes time.\n\n  @ibv_poll_cq.fifo\n',
    ],
    findings: [
      `${clausesOf.poll}:16: clause ibv_poll_cq.overrun has a Rule and a reason why not; remove one`,
      `${poll}:5: the Rule has no scenario; write one, or say in ibv_poll_cq.clauses.json why its clause is "untested"`,
    ],
  },
  {
    fault: 'a Feature that is a draft',
    replace: ['Feature: ibv_poll_cq(3)', 'Feature: ibv_poll_cq(3) - TODO'],
    findings: [`${poll}:2: the Feature is a draft; say in a few words what the page is about`],
  },
  {
    fault: 'a clause of another page',
    uri: resize,
    replace: ['  @ibv_resize_cq.keeps-cqes\n', '  @ibv_resize_cq.keeps-cqes @ibv_poll_cq.fifo\n'],
    findings: [
      `${resize}:4: @ibv_poll_cq.fifo is a clause of another page than ibv_resize_cq; move the Rule to the feature of ibv_poll_cq`,
      `${resize}:4: @ibv_poll_cq.fifo stands already on the Rule at ${poll}:4; make them one Rule`,
    ],
  },
  {
    fault: 'a clause id on a Scenario',
    replace: ['    @needs.srq\n', '    @ibv_poll_cq.fifo\n'],
    findings: [`${poll}:7: @ibv_poll_cq.fifo stands on a Scenario; a clause id belongs on its Rule`],
  },
  {
    fault: 'a clause id on a Feature',
    replace: ['@ibv_poll_cq\n', '@ibv_poll_cq @ibv_poll_cq.fifo\n'],
    findings: [`${poll}:1: @ibv_poll_cq.fifo stands on a Feature; a clause id belongs on its Rule`],
  },
  {
    fault: 'an unknown capability',
    replace: ['@needs.srq', '@needs.srqs'],
    findings: [`${poll}:7: unknown capability in @needs.srqs; the capabilities are `],
  },
  {
    fault: 'another tag',
    replace: ['      Examples:', '      @slow\n      Examples:'],
    findings: [`${poll}:12: unknown tag @slow; remove it`],
  },
  {
    fault: 'a misspelt page tag',
    replace: ['@ibv_poll_cq\n', '@ibv_pol_cq\n'],
    findings: [
      `${poll}:1: unknown tag @ibv_pol_cq; did you mean @ibv_poll_cq?`,
      `${poll}:2: the Feature has no tag of its page; put @ibv_poll_cq above it`,
    ],
  },
  {
    fault: 'a page tag that is not the name of the file',
    replace: ['@ibv_poll_cq\n', '@ibv_resize_cq\n'],
    findings: [
      `${poll}:1: the page of the tag @ibv_resize_cq is not the name of the file; name both after the man page`,
      `${poll}:4: @ibv_poll_cq.fifo is a clause of another page than ibv_resize_cq; `,
    ],
  },
  {
    fault: 'Examples without rows',
    replace: ['        | 2 |\n        | 3 |\n', ''],
    findings: [`${poll}:12: the Examples of "Some come in order" have no rows; write them or remove the table`],
  },
  {
    fault: 'an outline without Examples',
    replace: ['      Examples:\n        | n |\n        | 2 |\n        | 3 |\n', ''],
    findings: [`${poll}:8: outline "Some come in order" has no Examples; write them below it`],
  },
  {
    fault: 'a scenario without steps',
    uri: resize,
    replace: ['      Then it is there\n', ''],
    findings: [`${resize}:7: scenario "One outlasts it" has no steps; write them or remove it`],
  },
  {
    fault: 'a scenario without a Then',
    uri: resize,
    replace: ['Then it', 'When it'],
    findings: [`${resize}:7: scenario "One outlasts it" has no Then, so it checks nothing; say what it shows`],
  },
  {
    fault: 'two scenarios of one name',
    uri: resize,
    replace: ['is there\n', 'is there\n\n    Scenario: One outlasts it\n      Then it is there\n'],
    findings: [`${resize}:10: scenario "One outlasts it" has the name of that at line 7; name what sets it apart`],
  },
  {
    fault: 'a scenario under no Rule',
    uri: resize,
    replace: ['  @ibv_resize_cq.keeps', '  Scenario: Astray\n    Then it is there\n\n  @ibv_resize_cq.keeps'],
    findings: [`${resize}:4: scenario "Astray" stands under no Rule; put it under that of its clause`],
  },
  {
    fault: 'a scenario that connects QPs and does not say so',
    uri: resize,
    replace: ['      Then it', '      Given connected RC QPs "one" and "other"\n      Then it'],
    findings: [
      `${resize}:7: scenario "One outlasts it" connects QPs; tag it, its Rule or its Feature with @needs.conn`,
    ],
  },
  {
    fault: 'a Background that connects QPs and does not say so',
    uri: resize,
    replace: [
      '  @ibv_resize_cq.keeps',
      '  Background:\n    Given connected UD QPs:\n      | QP |\n\n  @ibv_resize_cq.keeps',
    ],
    findings: [`${resize}:11: scenario "One outlasts it" connects QPs; `],
  },
  {
    fault: 'the Background of a Rule that connects QPs and does not say so',
    uri: resize,
    replace: ['    Scenario:', '    Background:\n      Given connected UC QPs "one" and "other"\n\n    Scenario:'],
    findings: [`${resize}:10: scenario "One outlasts it" connects QPs; `],
  },
  {
    fault: 'a step that connects QPs for CQs of its own, and a scenario that does not say so',
    uri: resize,
    replace: [
      '    Scenario: One outlasts it\n',
      '    Scenario: One outlasts it\n      Given receive CQs "cq_1" to "cq_2" on completion channel "channel"\n',
    ],
    findings: [`${resize}:7: scenario "One outlasts it" connects QPs; `],
  },
  {
    fault: 'a tag of connected QPs where none are',
    uri: resize,
    replace: ['  @ibv_resize_cq.keeps-cqes', '  @needs.connection @ibv_resize_cq.keeps-cqes'],
    findings: [`${resize}:7: scenario "One outlasts it" connects no QPs; take @needs.connection from it`],
  },
  {
    fault: 'a scenario of datagrams that connects other QPs too',
    uri: resize,
    replace: [
      '    Scenario: One outlasts it\n',
      '    @needs.datagrams\n    Scenario: One outlasts it\n      Given connected UD QPs "a" and "b"\n      And connected RC QPs "c" and "d"\n',
    ],
    findings: [`${resize}:8: scenario "One outlasts it" does not connect UD QPs alone; tag it with @needs.connection`],
  },
  {
    fault: 'a scenario of datagrams that connects no QPs',
    uri: resize,
    replace: ['    Scenario: One outlasts it\n', '    @needs.datagrams\n    Scenario: One outlasts it\n'],
    findings: [`${resize}:8: scenario "One outlasts it" does not connect UD QPs alone; `],
  },
  {
    fault: 'a file that is not Gherkin',
    replace: ['Feature: ', 'Featur: '],
    findings: [`${poll}:2: cannot be read: expected: `],
  },
  {
    fault: 'an empty file',
    uri: resize,
    replace: [sound[resize], ''],
    findings: [
      `${clausesOf.resize}:3: clause ibv_resize_cq.keeps-cqes of ibv_resize_cq, DESCRIPTION, has no Rule; `,
      `${resize}:1: the file holds no Feature; write one or remove the file`,
    ],
  },
];

describe('verbspec rules --check', () => {
  it('counts what it has looked at when there is nothing to find', async () => {
    assert.deepEqual(await check(), { code: 0, lines: ['3 clauses, 2 with scenarios, 1 with a reason'] });
  });

  for (const { fault, uri = poll, replace, findings } of planted) {
    it(`finds ${fault}`, async () => {
      assert.ok(sound[uri].includes(replace[0]));
      project.write(uri, sound[uri].replace(...replace));
      await assertFindings(findings);
    });
  }

  for (const holder of ['Feature', 'Rule', 'Scenario'] as const) {
    it(`takes the tag of connected QPs from a ${holder}`, async () => {
      const connecting = sound[resize].replace('      Then', '      Given connected RC QPs "a" and "b"\n      Then');
      const titles = { Feature: 'Feature:', Rule: '  Rule:', Scenario: '    Scenario:' };
      const title = titles[holder];
      project.write(resize, connecting.replace(title, `${title.replace(/\w+:/, '@needs.connection')}\n${title}`));
      assert.equal((await check()).code, 0);
    });
  }

  it('wants no tag of connected QPs from a scenario of datagrams', async () => {
    const datagrams = sound[resize]
      .replace('    Scenario:', '    @needs.datagrams\n    Scenario:')
      .replace('      Then', '      Given connected UD QPs "a" and "b"\n      Then');
    project.write(resize, datagrams);
    assert.equal((await check()).code, 0);
  });

  it('finds a file that cannot be read, and does not miss the rules in it', async () => {
    symlinkSync('nowhere', join(project.folder, 'features/cq/ibv_modify_cq.feature'));
    mkdirSync(join(project.folder, 'features/cq/ibv_query_cq.feature'));
    await assertFindings([
      'features/cq/ibv_modify_cq.feature:1: cannot be read: ENOENT',
      'features/cq/ibv_query_cq.feature:1: cannot be read: EISDIR',
    ]);
  });

  it('finds the first line that is not Gherkin, whatever follows from it', async () => {
    project.write(resize, `${sound[resize]}      Afterwards all is well\n      Nor is this\n`);
    await assertFindings([`${resize}:9: cannot be read: expected: #EOF, `]);
  });

  it('finds steps with no definition or several', async () => {
    const messages = parseMessages(recordOutcomes('--dry-run'));
    const feature = 'features/cq/ibv_req_notify_cq.feature';
    const dryRun = (): Promise<typeof messages> => Promise.resolve(messages);
    const undefinedStep = `${feature}:112: no step definition matches \`no definition matches this text\`; `;
    const ambiguous =
      /^several step definitions match `two definitions match`: steps\/outcomes\.steps\.ts:\d+ and steps/;
    const { code, lines } = await check({ dryRun });
    assert.equal(code, 1);
    assert.equal(lines.length, 2, lines.join('\n'));
    assert.ok(lines[0]?.startsWith(undefinedStep), lines[0]);
    assert.match(lines[1]?.replace(`${feature}:115: `, '') ?? '', ambiguous);
  });

  it('prints the pages that were asked for', async () => {
    project.write(poll, sound[poll].replace('@needs.srq', '@slow'));
    assert.deepEqual(await check({ pages: ['ibv_resize_cq'] }), {
      code: 0,
      lines: ['1 clause, 1 with scenarios, 0 with a reason'],
    });
    await assertFindings([`${poll}:7: unknown tag @slow`], { pages: ['ibv_poll_cq'] });
  });

  it('names the step file that does not load, whatever page was asked for', async () => {
    const error = new Error('There is already a parameter type\nwith name word');
    error.stack =
      'Error\n    at define (/x/node_modules/y/index.ts:1:2)\n    at Object.<anonymous> (/x/steps/types.ts:46:20)';
    const dryRun = (): Promise<never> => Promise.reject(error);
    const finding = 'steps/types.ts:46: the steps do not load: There is already a parameter type with name word; ';
    await assertFindings([finding], { dryRun, pages: ['ibv_poll_cq'] });
  });

  it('refuses a list of clauses that it cannot read', async () => {
    project.write(clausesOf.poll, '[');
    await assert.rejects(check(), HarnessError);
  });

  it('finds clauses that are drafts, or say what their Rule says', async () => {
    const [fifo, overrun] = soundClauses.ibv_poll_cq;
    project.writeData('ibv_poll_cq', 'clauses', [
      { ...fifo, statement: 'Oldest first' },
      { ...overrun, untested: 'TODO' },
    ]);
    await assertFindings([
      `${clausesOf.poll}:3: clause ibv_poll_cq.fifo has a Rule, whose title says what it states; take "statement" out`,
      `${clausesOf.poll}:17: clause ibv_poll_cq.overrun of ibv_poll_cq, NOTES, is a draft; name it and say in your own`,
    ]);
  });

  it('finds a clause whose Rule does not have to prove anything', async () => {
    const [fifo, overrun] = soundClauses.ibv_poll_cq;
    project.writeData('ibv_poll_cq', 'clauses', [{ ...fifo, proved: undefined }, overrun]);
    await assertFindings([
      `${clausesOf.poll}:3: clause ibv_poll_cq.fifo has a Rule, and nothing that it has to prove; run \`npx verbspec`,
    ]);
  });

  it('finds an authority that the section contradicts', async () => {
    const [fifo, overrun] = soundClauses.ibv_poll_cq;
    project.writeData('ibv_poll_cq', 'clauses', [
      { ...fifo, section: 'FAQ (RDMAmojo)' },
      { ...overrun, authority: 'rdmamojo' },
    ]);
    await assertFindings([
      `${clausesOf.poll}:3: clause ibv_poll_cq.fifo has the authority page, and its section, FAQ (RDMAmojo), names RDMAmojo; `,
      `${clausesOf.poll}:16: clause ibv_poll_cq.overrun has the authority rdmamojo, and its section, NOTES, is one of the page; `,
    ]);
  });

  it('finds a page that has clauses and no feature', async () => {
    rmSync(join(project.folder, resize));
    await assertFindings([
      `${clausesOf.resize}:1: there is no ibv_resize_cq.feature beside these clauses; write ${resize}`,
      `${clausesOf.resize}:3: clause ibv_resize_cq.keeps-cqes of ibv_resize_cq, DESCRIPTION, has no Rule; `,
    ]);
  });

  it('finds what is wrong with the known deviations', async () => {
    project.write('drivers/deviations/rxe.json', '[]');
    await assertFindings(['drivers/deviations/rxe.json:1: the list is of schema version 1, ']);
  });
});
