import assert from 'node:assert/strict';
import { Command } from 'commander';
import { it } from 'node:test';
import { givenOptions } from './given-options';

it('the options that a user gave come back as the shell had them, without those of the whole run', () => {
  const run = new Command()
    .option('--driver <name>', '', 'sim')
    .option('-x, --gid-index <n>', '', Number)
    .option('--redact')
    .option('--deviations <file>', '', (value: string, values?: string[]) => [...(values ?? []), value])
    .option('--kernel <which>')
    .option('--out <folder>')
    .option('--order <order>', '', 'defined')
    .option('--repeat <n>')
    .action(() => undefined);
  const own = ['--redact', '--deviations', 'a b', '-x', '3', '--deviations', 'c', '--driver', 'hca'];
  run.parse([...own, '--out', 'x', '--order', 'reverse', '--repeat', '3'], { from: 'user' });
  assert.deepEqual(givenOptions(run), [
    ...['--driver', 'hca', '-x', '3', '--redact', '--deviations', 'a b', '--deviations', 'c'],
  ]);
});
