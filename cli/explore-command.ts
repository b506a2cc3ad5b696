import { InvalidArgumentError, Option, type Command } from 'commander';
import { driverNames } from '../drivers/registry';
import { commands } from './commands';
import type { ExploreOptions } from './explore/explore';

const examples = `
Writes programs of verbs at random, runs each on the driver, and compares what it comes to with all that the simulator
could come to. A program on which they differ is made as small as it goes and written to the folder of results: as data,
a scenario (.feature), a program in C of libibverbs alone, and a text (.md).

Examples:
  verbspec explore --for 60s                       the simulator against itself: nothing may be found
  verbspec explore --fault stays-armed --for 60s   a fault is found
  verbspec explore --driver hca -d mlx5_0 -x 3 --for 10m --seed 4711
  verbspec explore --replay reports/out/explore/finding-1.json
  verbspec explore --minimise program.json         a program of your own, smaller
  verbspec explore --replay reports/out/explore/finding-1.feature
  verbspec explore --driver soft-roce --kernel 6.1 --deterministic 7 --replay finding-1.json
  verbspec explore --emit bisect reports/out/explore/finding-1.json --out bisect.sh
  verbspec explore --for 10m --coverage            what it reached of all that can happen: reports/out/explore/coverage.html
  verbspec explore --driver soft-roce --kernel 6.1 --module rdma_rxe.ko --coverage --edges reports/out/soft-roce/edges.json
                                                   and of the code of a module that ci/kernel-module.sh --edges has built
  verbspec explore --programs 200 --ledger         where more than one outcome is allowed, and how often that was met

Exit codes: 0 nothing found; 1 findings; 2 wrong usage; 3 broken set-up, or the device was lost; 128 + signal number, when
a signal ended it: what was found until then is kept.`;

/** Adds `verbspec explore`. */
export function addExplore(program: Command, done: (code: number) => void): void {
  program
    .command('explore')
    .description('run random programs of verbs, and compare what they come to with the simulator')
    .option('--driver <name>', driverNames.join(', '), 'sim')
    .option('-d, --ib-dev <name>', 'RDMA device, as ibv_devices lists it (hca)')
    .option('-i, --ib-port <n>', 'port of the device, from 1', whole)
    .option('-x, --gid-index <n>', 'index in the GID table of the port', whole)
    .option('--kernel <which>', 'host, a release such as 6.1, or a folder (soft-roce)')
    .option('--module <file>', 'kernel module in place of the own one of the kernel (soft-roce)')
    .addOption(
      new Option(
        '--deterministic [seed]',
        'each program in a VM that repeats to the byte; the seed chooses how its kernel schedules, 0 by default (soft-roce)',
      )
        .preset('0')
        .argParser(whole),
    )
    .option('--fault <name>', 'plant a fault in the simulator (sim)')
    .option('--profile <name>', 'have the simulator do as the sources of a provider tell (sim)')
    .option('--variant <name,...>', 'have it do otherwise, where pages leave a device free (sim)')
    .option('--seed <n>', 'of all that is left to chance: the same seed gives the same programs', whole, 1)
    .option('--for <time>', 'how long: 30s, 10m or 2h (default: 60s)', duration)
    .option('--programs <n>', 'how many programs, whatever time they take', whole)
    .option('--replay <file>', 'run a program, or that of a finding, and nothing else')
    .option('--minimise <file>', 'make the program of that file smaller that shows something wrong')
    .option('--ledger', 'list where more than one outcome is allowed, and how often each was met', false)
    .option(
      '--coverage',
      'write coverage.html and coverage.json: which states, operations and outcomes were reached, and which by scenarios',
      false,
    )
    .option(
      '--edges <file>',
      'with --coverage, and a module that ci/kernel-module.sh --edges has built: the edges.json of a run of it, for comparison',
    )
    .option(
      '--emit <kind>',
      'write FINDING as c, gherkin, md, bisect or syz, to the file of --out or to standard output',
    )
    .option('--corpus <folder>', 'programs that are run first, and changed; those that do something new are added')
    .option('--out <folder>', 'folder of the findings (default: reports/out/explore)')
    .addHelpText('after', examples)
    .argument('[finding]', 'file of a finding, with --emit alone')
    .action(async (finding: string | undefined, options: ExploreOptions) => {
      done(await commands.explore({ ...options, ...(finding !== undefined && { finding }) }));
    });
}

function whole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It is not a whole number.');
  return value;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

function duration(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(digits) * (secondsOf[unit] ?? 0);
  if (seconds <= 0) throw new InvalidArgumentError('It is no time such as 30s, 10m or 2h.');
  return seconds;
}
