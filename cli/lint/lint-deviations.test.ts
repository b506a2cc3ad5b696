import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadClauses } from '../../catalog/clauses';
import { deviation } from '../../reports/fixtures/deviation';
import { PlantedProject, sound } from '../fixtures/planted-project';
import { lineOf } from './finding';
import { deviationFindings } from './lint-deviations';
import { readFeatures } from '../inputs/features';

const rxe = 'drivers/deviations/rxe.json';
const fifo = deviation({ rule: 'ibv_poll_cq.fifo' });

let project: PlantedProject;

beforeEach(() => {
  project = new PlantedProject();
});

afterEach(() => {
  project.remove();
});

/** Writes the list of a provider, one entry per line. */
function list(...entries: object[]): void {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(',\n');
  project.write(rxe, `{"schemaVersion": 2, "deviations": [\n${lines}\n]}`);
}

/** Demands just these findings, each given by its beginning. */
function assertFindings(...expected: string[]): void {
  const clauses = loadClauses(`${project.folder}/features`);
  const lines = deviationFindings(readFeatures(project.folder), project.folder, clauses).map(lineOf);
  const found = lines.map((line, index) => (line.startsWith(expected[index] ?? '\n') ? expected[index] : line));
  assert.deepEqual(found, expected);
}

describe('the lint of deviations', () => {
  it('has nothing against a scenario that its rule has, nor against a project without deviations', () => {
    assertFindings();
    list(fifo, { ...fifo, scenario: 'Some come in order' });
    assertFindings();
  });

  it('names a scenario that its rule has not', () => {
    list(fifo, { ...fifo, scenario: 'Some come in disorder' });
    assertFindings(`${rxe}:3: ibv_poll_cq.fifo has no scenario "Some come in disorder"; name it as the feature does`);
    list(deviation({ rule: 'ibv_poll_cq.overrun' }));
    assertFindings(`${rxe}:2: ibv_poll_cq.overrun has no scenario that could show a deviation; `);
  });

  it('takes the name of an example with the cells of its row in it', () => {
    const uri = 'features/cq/ibv_poll_cq.feature';
    project.write(uri, sound[uri].replace('Some come in order', '<n> come in order'));
    list({ ...fifo, scenario: '3 come in order' }, { ...fifo, scenario: '<n> come in order' });
    assertFindings(`${rxe}:3: ibv_poll_cq.fifo has no scenario "<n> come in order"; `);
  });

  it('names an entry that is there already', () => {
    list(fifo, { ...fifo, when: { ...fifo.when }, reason: 'for another reason' });
    assertFindings(`${rxe}:3: ibv_poll_cq.fifo has an entry with the same scenario and conditions at ${rxe}:2; `);
    list(fifo, { ...fifo, when: { ...fifo.when, kernel: '<6.1' } });
    assertFindings();
  });

  it('names what cannot be read', () => {
    list({ ...fifo, expires: '2027-02-30' }, { ...fifo, until: 'soon' });
    assertFindings(`${rxe}:3: /deviations/1 must NOT have additional properties "until"; `);
    list({ ...fifo, expires: '2027-02-30' }, { ...fifo, when: { fwVer: 'old' } });
    assertFindings(
      `${rxe}:2: /deviations/0/expires "2027-02-30" is not a date; `,
      `${rxe}:3: /deviations/1/when/fwVer "old" is not a range of versions; `,
    );
    list({ ...fifo, rule: 'ibv_poll_cq.fifi' });
    assertFindings(
      `${rxe}:2: /deviations/0/rule "ibv_poll_cq.fifi" is not a known rule; did you mean ibv_poll_cq.fifo?`,
    );
    project.write(rxe, '[\n{,}]');
    assertFindings(`${rxe}:2: is not valid JSON: `);
  });
});
