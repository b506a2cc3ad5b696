import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { againCommand } from './again';
import { explain } from './explain';

const judged = judgeMessages(recordOutcomes('--name', 'An assertion fails$'));
const [scenario] = judged.scenarios;
assert.ok(scenario);
const { info, clauses } = judged.recording;

it('the command names the scenario and the options of the run', () => {
  const options = ['--driver', 'soft-roce', '--kernel', '6.1'];
  assert.equal(
    againCommand(scenario, { ...info, options }),
    'npx verbspec run features/cq/ibv_req_notify_cq.feature:17 --driver soft-roce --kernel 6.1',
  );
  assert.equal(againCommand(scenario, info), undefined, 'nobody knows the options');
});

it('a shell takes its words as they were', () => {
  const options = ["it's $HOME", '`id`', '', '~/x', 'a;b', '-x', '"'];
  const command = againCommand(scenario, { ...info, options }) ?? '';
  const print = `${JSON.stringify(process.execPath)} -p 'JSON.stringify(process.argv.slice(1))' -- `;
  const words = execFileSync('sh', ['-c', print + command], { encoding: 'utf8' });
  assert.deepEqual((JSON.parse(words) as string[]).slice(4), options);
});

it('it stands in the explanation of what did not pass', () => {
  assert.match(explain(scenario, clauses, { ...info, options: [] }) ?? '', /\n\nAgain: {4}npx verbspec run \S+:17$/);
  assert.doesNotMatch(explain(scenario, clauses, info) ?? '', /Again/);
});
