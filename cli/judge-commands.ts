import { Option, type Command } from 'commander';
import { compareFormats } from '../reports/compare/formats';
import { commands } from './commands';
import type { CompareCommand } from './recorded/compare';
import { columnFacts } from '../reports/compare/run-order';
import type { ReproduceOptions } from './reproduce/reproduce';
import type { GateCommand } from './recorded/gate';

type Done = (code: number) => void;

/** `verbspec compare`. */
export function addCompare(program: Command, done: Done): void {
  program
    .command('compare <run...>')
    .description('rules by devices: what recorded runs say side by side, differences first')
    .addOption(new Option('--format <format>', 'format of the output').choices(compareFormats).default('terminal'))
    .option('--out <file>', 'file to write it to')
    .option('--all', 'also the rules that are alike in all runs (terminal)', false)
    .option('--against <run>', 'compare the others with this one: its name, or its folder')
    .addOption(new Option('--by <fact>', 'group the columns').choices(columnFacts))
    .option('--any-suite', 'compare runs of different versions of verbspec', false)
    .addHelpText(
      'after',
      `
A run is the folder of its results, or its verdicts.json. Of eight runs and more, those that say the same of every rule
are one column.

Examples:
  verbspec compare reports/out/sim reports/out/soft-roce
  verbspec compare --against sim --by kernel sim dut-*      fifty devices; = is what the simulator does
  verbspec compare --format html --out matrix.html sim rxe-6.1 rxe-6.12     each cell leads to its evidence`,
    )
    .action((runs: string[], options: Omit<CompareCommand, 'runs'>) => {
      done(commands.compare({ ...options, runs }));
    });
}

/** `verbspec gate`. */
export function addGate(program: Command, done: Done): void {
  program
    .command('gate <run...>')
    .description('fail if a device does worse than its baseline')
    .requiredOption('--baseline <file>', 'what the device is known to do')
    .option('--update', 'rewrite the baseline, and print what changes in it', false)
    .option('--selected', 'judge only the rules that ran; without it the others have vanished', false)
    .option('--any-dut', 'judge another device than that of the baseline', false)
    .option(
      '--others <folder>',
      'baselines of other devices, to print beside a regression (default: those beside the baseline)',
    )
    .option('--junit <file>', 'write JUnit XML')
    .option('--ktap <file>', "write KTAP, the format of the kernel's own tests")
    .option('--markdown <file>', 'write Markdown')
    .option('--github', 'annotate the job of a GitHub workflow and add to its summary', false)
    .addHelpText(
      'after',
      `
A run is the folder of its results, or its verdicts.json. Several runs of one device also show what is flaky.

Examples:
  verbspec gate --baseline mlx5.json --update reports/out/hca      write the baseline
  verbspec gate --baseline mlx5.json reports/out/hca               later: is it still so?
  verbspec run --repeat 5 --driver hca -d mlx5_0 -x 3 --out five && verbspec gate --baseline mlx5.json five

Exit codes:
  0  no worse than the baseline; improvements and new exceptions are listed
  1  a regression, a surprise, a lost capability, a vanished or a flaky rule, or a list of stale deviations
  2  wrong usage, or the baseline of another device
  3  something is broken, the device was lost, or nothing ran`,
    )
    .action((runs: string[], options: Omit<GateCommand, 'runs'>) => {
      done(commands.gate({ ...options, runs }));
    });
}

/** `verbspec reproduce`. */
export function addReproduce(program: Command, done: Done): void {
  program
    .command('reproduce <run> <scenario>')
    .description(
      'write a C program, libibverbs alone, that makes the calls of a recorded scenario and shows what failed',
    )
    .option('--any', 'also of a scenario in which nothing failed: it makes the calls', false)
    .option('--out <file>', 'file to write it to (default: standard output)')
    .addHelpText(
      'after',
      `
The scenario is where it stands in its feature, or its name. The program exits with 1 if the failure shows, with 0 if it does
not, and with 2 if it does not come as far as that.

Examples:
  verbspec reproduce reports/out/hca features/cq/ibv_poll_cq.feature:17 --out finding.c
  cc -o finding finding.c -libverbs -pthread && ./finding mlx5_0 1 3`,
    )
    .action(async (run: string, scenario: string, options: Omit<ReproduceOptions, 'run' | 'scenario'>) => {
      done(await commands.reproduce({ ...options, run, scenario }));
    });
}
