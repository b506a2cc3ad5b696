import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createColors } from 'picocolors';
import { deviation } from '../fixtures/deviation';
import { deviationParts } from './summary-deviations';

const layout = { color: false, columns: 80, callsMax: 5, detailsMax: 40, verbose: false, colors: createColors(false) };
const rule = 'ibv_poll_cq.field-status';

it('a reason that several scenarios of a rule have is printed once, with their names', () => {
  const deviations = [
    deviation({ rule, scenario: 'A send' }),
    deviation({ rule, scenario: 'A write', reason: 'rxe forgets it' }),
    deviation({ rule, scenario: 'A read' }),
    deviation({ rule: 'ibv_poll_cq.field-opcode' }),
  ];
  const reckonings = deviations.map((deviation) => ({ deviation, state: 'shown' as const }));
  const scenarios = [{ match: reckonings[2], notRun: ['And it is so', 'Then it is not'] }];
  assert.deepEqual(deviationParts({ reckonings, scenarios }, layout), [
    [
      'Known deviations',
      '  ibv_poll_cq.field-status: rxe does otherwise (https://example.org/1)',
      '    - A send',
      '    - A read',
      '      did not run: And it is so',
      '      did not run: Then it is not',
      '  ibv_poll_cq.field-status: rxe forgets it (https://example.org/1)',
      '    - A write',
      '  ibv_poll_cq.field-opcode: rxe does otherwise (https://example.org/1)',
    ],
  ]);
});

it('what shows only sometimes, and did not, is told apart from what is stale', () => {
  const listed = deviation({ rule, scenario: 'A send', showsOnlyIf: 'the number is large' });
  const reckonings = [{ deviation: listed, state: 'not-this-time' as const }];
  assert.deepEqual(deviationParts({ reckonings, scenarios: [] }, layout), [
    [
      'Known deviations that did not show this time',
      '  ibv_poll_cq.field-status, "A send": shows only if the number is large',
      '    (https://example.org/1)',
    ],
  ]);
});
