import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { asDeviations } from '../../catalog/deviations';
import { deviation } from '../fixtures/deviation';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { listableFailures, writeListableFailures } from './listable-failures';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-failures-'));
let messages = '';

before(() => {
  messages = recordOutcomes();
});

after(() => {
  rmSync(folder, { recursive: true });
});

describe('the failures of a run, as a list of deviations has them', () => {
  it('have the symptom of a check, of a refusal, of words, or a verdict', () => {
    const failures = listableFailures(judgeMessages(messages));
    const symptomOf = (name: string): unknown => failures.find(({ scenario }) => scenario === name)?.symptom;
    assert.deepEqual(symptomOf('A structure differs'), {
      step: 'Then the completion differs',
      subject: 'members of the completion',
      expected: { wr_id: '0x7', status: 'IBV_WC_WR_FLUSH_ERR' },
      observed: { wr_id: '0x7', status: 'IBV_WC_SUCCESS' },
    });
    assert.deepEqual(symptomOf('A verb refuses'), {
      step: 'When the verb ibv_req_notify_cq refuses with EINVAL',
      subject: 'ibv_req_notify_cq()',
      expected: 'success',
      observed: { returned: 22, errno: 'EINVAL' },
    });
    assert.deepEqual(symptomOf('An assertion fails with words of its own'), {
      step: 'Then the check says "no further completion event"',
      subject: 'no further completion event',
    });
    assert.equal(symptomOf('The host crashes'), 'crash');
    assert.equal(symptomOf('The harness fails'), undefined);
    assert.equal(symptomOf('It passes'), undefined);
  });

  it('are known once they are listed, and then there is nothing to list', () => {
    writeListableFailures(judgeMessages(messages), folder);
    const { schemaVersion, deviations } = JSON.parse(readFileSync(join(folder, 'failures.json'), 'utf8')) as {
      readonly schemaVersion: number;
      readonly deviations: ReturnType<typeof listableFailures>;
    };
    const completed = deviations.map((entry) => deviation(entry));
    assert.deepEqual(asDeviations({ schemaVersion, deviations: completed }), completed);
    const others = completed.filter(
      ({ scenario }, index) => !completed.slice(0, index).some((one) => one.scenario === scenario),
    );
    const left = listableFailures(judgeMessages(messages, others));
    assert.deepEqual(new Set(left.map(({ scenario }) => scenario)), new Set(['It passes or fails by example']));
  });

  it('are no file where nothing failed', () => {
    rmSync(join(folder, 'failures.json'));
    writeListableFailures(judgeMessages(recordOutcomes('--name', '^It passes$')), folder);
    assert.ok(!existsSync(join(folder, 'failures.json')));
  });
});
