import { Command, InvalidArgumentError, Option } from 'commander';
import { driverNames } from '../drivers/registry';
import { oneLine, plainText } from '../catalog/plain-text';
import { commands } from './commands';
import { givenOptions } from './common/given-options';
import { authorityList } from './inputs/authorities';
import { addCompare, addGate, addReproduce } from './judge-commands';
import { suiteVersion } from './common/project';
import { addExplore } from './explore-command';
import { addLook } from './look-commands';
import { addNewPage, addTie } from './page-commands';
import { addProve } from './prove-command';
import type { ReportOptions } from './recorded/report';
import type { RulesOptions } from './rules/rules';
import type { RunOptions } from './run/run';
import type { SpecBookOptions } from './recorded/spec-book';

const exitCodes = `
Exit codes:
  0  nothing unexpected
  1  a rule is violated: fail, crash, hang, panic or surprise; or the device has blocked a scenario, or an expected
     capability is missing, or the list of deviations is to be fixed
  2  wrong usage
  3  the set-up is broken or the device under test was lost
  128 + signal number, when a signal ended the run`;

/**
 * The `verbspec` command with all of its commands and options.
 *
 * @param cucumberOptions - what follows `--`
 * @param done - hears the exit code of the command that ran
 */
export function commandLine(cucumberOptions: readonly string[], done: (code: number) => void): Command {
  const program = withoutCommands();
  addRun(program, cucumberOptions, done);
  addRules(program, done);
  addLook(program, done);
  addSpecBook(program, done);
  program
    .command('report <run...>')
    .description('make one Allure report of several runs, or that of one run and its page again')
    .option('--out <folder>', 'folder of the report (default: reports/out/report)')
    .addHelpText(
      'after',
      `
Examples:
  verbspec report reports/out/sim reports/out/soft-roce
  verbspec report runs/6.1 runs/6.12 --out runs/report
  verbspec report runs/6.1 --out runs/6.1-again        with the page of the run, index.html`,
    )
    .action(async (runs: string[], options: Omit<ReportOptions, 'runs'>) => {
      done(await commands.report({ ...options, runs }));
    });
  program
    .command('doctor [driver...]')
    .description('list what is missing to run each driver here, and the command that fixes it')
    .option('-d, --ib-dev <name>', 'look at this RDMA device alone (hca)')
    .option('--json', 'machine-readable', false)
    .addHelpText(
      'after',
      '\nExamples:\n  verbspec doctor\n  verbspec doctor soft-roce\n  verbspec doctor hca -d mlx5_0',
    )
    .action((drivers: string[], { json, ibDev }: { json: boolean; ibDev?: string }) => {
      done(commands.doctor(drivers, json, ibDev));
    });
  addProve(program, done);
  addExplore(program, done);
  addCompare(program, done);
  addGate(program, done);
  addReproduce(program, done);
  addNewPage(program, done);
  addTie(program, done);
  return program;
}

/** What it refuses it echoes, whatever that is. */
function withoutCommands(): Command {
  return new Command('verbspec')
    .description('An executable specification of the libibverbs API, run against a device')
    .version(suiteVersion())
    .addHelpText(
      'before',
      'New here? `verbspec run` tries all rules on the simulator; `verbspec doctor` looks at this machine.\n',
    )
    .exitOverride()
    .configureOutput({
      writeErr: (text) => process.stderr.write(plainText(text)),
      outputError: (message) => process.stderr.write(`${oneLine(message)}\n`),
    })
    .hook('preAction', (_, command) => {
      refuseEmptyValues(command);
    })
    .showHelpAfterError('(verbspec --help shows the commands, verbspec COMMAND --help their options)');
}

/** An empty value is most often a variable that is not set; as a path it would be the working folder. */
function refuseEmptyValues(command: Command): void {
  const empty = command.options.find((option) =>
    [command.getOptionValue(option.attributeName()) as unknown].flat().includes(''),
  );
  if (empty) command.error(`error: option '${empty.flags}' has an empty value`);
}

/** What the simulator can be asked to do. */
function withSimulatorOptions(run: Command): Command {
  return run
    .option('--fault <name>', 'plant a fault in the simulator, to see its scenarios fail (sim)')
    .option(
      '--profile <name>',
      'have the simulator do as the sources of a provider tell: connectx, irdma, bnxt_re, hns, mana, efa, siw or rxe (sim)',
    )
    .option('--variant <name,...>', 'have it do otherwise, where pages leave a device free (sim)')
    .option('--network <conditions>', 'loss=0.1,delay=20,replay=0.1,reorder=0.1,seed=1: spoil the network (sim)');
}

type OwnRunOptions = Omit<RunOptions, 'selectors' | 'cucumberOptions' | 'given'>;

function addRun(program: Command, cucumberOptions: readonly string[], done: (code: number) => void): void {
  const command = program
    .command('run [feature-or-rule...]')
    .description('run features on a driver and write verdicts and an Allure report')
    .option('--driver <name>', `${driverNames.join(', ')}, or the path of a driver module`, 'sim');
  withSimulatorOptions(command)
    .option('-d, --ib-dev <name>', 'RDMA device, as ibv_devices lists it (hca)')
    .option('-i, --ib-port <n>', 'port of the device, from 1', number)
    .option('-x, --gid-index <n>', 'index in the GID table of the port', number)
    .option('-m, --mtu <bytes>', 'path MTU: 256, 512, 1024, 2048 or 4096', pathMtu)
    .option('--kernel <which>', 'host, a release such as 6.1, or a folder (soft-roce)')
    .option('--module <file>', "rdma_rxe.ko or siw.ko to load in place of the kernel's own, in a VM (soft-roce)")
    .option('--rdma-core <folder>', 'libibverbs and its providers: unpacked packages or a build tree (soft-roce, hca)')
    .addOption(
      new Option(
        '--vm-time <clock>',
        'clock of the VM: virtual, where waits cost no time; or wall, as this machine, with two processors (default: virtual without KVM) (soft-roce)',
      ).choices(['virtual', 'wall']),
    )
    .option(
      '--host <user@host[:path]>',
      'machine that has the device, reached by ssh, and its folder of verbspec (hca)',
    )
    .option(
      '--authority <names>',
      'rules that rest on page, posix, ibta or rdmamojo; page,posix for several',
      authorityList,
    )
    .option('--expect-capabilities <file>', 'verdicts.json of an earlier run: fail if the device lacks what it had')
    .option('--proof <file>', 'proof.json of `verbspec prove` for the report (default: the one in reports/out/prove)')
    .option('--redact', 'hide GUIDs, GIDs, addresses, host and user names in all that is written')
    .option('--deviations <file>', 'known deviations of your own, added to those that are listed; repeatable', collect)
    .option('--order <order>', 'defined, reverse, random, or random:SEED to repeat one', 'defined')
    .option('--repeat <n>', 'run this many times, into the folders 1, 2, ... of --out', times)
    .option('--until-fail', 'with --repeat: end with the first run whose exit code is not 0')
    .option('--again <run>', 'what did not come out as expected in an earlier run: its folder')
    .option('--label <text>', 'what the run is called beside others, in compare, gate and reports')
    .option('--verbose', 'a line for each rule, and not each man page alone')
    .option('--history <folder>', 'Allure shows the trend over the runs that name this folder')
    .option('--out <folder>', 'folder of the results (default: reports/out/<driver>)')
    .addHelpText(
      'after',
      `
Examples:
  verbspec run                                         everything, on the simulator
  verbspec run ibv_poll_cq --driver soft-roce          one man page, on the kernel's soft-RoCE
  verbspec run --driver soft-roce --kernel 6.1         ... of a Debian kernel, in a VM
  verbspec run --driver hca -d mlx5_0 -x 3             everything, on a device of this machine
  verbspec run --driver hca -d mlx5_0 -x 3 --host root@lab1    ... of another machine
  verbspec run --authority page                        what the man pages promise, and no more
  verbspec run --deviations mine.json                  with deviations of your own taken for known
  verbspec run --profile connectx                      the simulator, as the sources of mlx5 tell
  verbspec run --again reports/out/sim                 what failed in that run
  verbspec run -- --format progress                    options after -- go to Cucumber
${exitCodes}`,
    )
    .action(async (selectors: string[], options: OwnRunOptions, run: Command) => {
      done(await commands.run({ ...options, selectors, cucumberOptions, given: givenOptions(run) }));
    });
}

function addRules(program: Command, done: (code: number) => void): void {
  program
    .command('rules [page-or-rule...]')
    .description('list every clause with the number of its scenarios, or the reason why it has none')
    .option('--json', 'machine-readable', false)
    .option(
      '--authority <names>',
      'those that rest on page, posix, ibta or rdmamojo; page,posix for several',
      authorityList,
    )
    .option('--run <folder>', 'with the verdicts of that run')
    .addOption(
      new Option(
        '--check',
        'lint features, clauses and steps: a line for each finding, and exit code 1 if there is any',
      )
        .default(false)
        .conflicts(['json', 'authority', 'run']),
    )
    .addHelpText(
      'after',
      `
Examples:
  verbspec rules ibv_poll_cq
  verbspec rules --json
  verbspec rules --authority rdmamojo  what no man page promises
  verbspec rules --run reports/out/sim
  verbspec rules --check ibv_poll_cq   the findings of one man page`,
    )
    .action(async (selectors: string[], options: Omit<RulesOptions, 'selectors'>) => {
      done(await commands.rules({ ...options, selectors }));
    });
}

function addSpecBook(program: Command, done: (code: number) => void): void {
  program
    .command('spec-book [run...]')
    .description(
      'write the man pages with the rules that stand on each sentence, and the verdicts of runs, as a website',
    )
    .option(
      '--man <folder>',
      'man pages other than the installed ones: an unpacked libibverbs-dev; repeatable',
      collect,
    )
    .option('--check', 'no book: list sentences that are new, changed or gone since the rules were written', false)
    .option('--out <folder>', 'folder of the book (default: reports/out/spec-book)')
    .addHelpText(
      'after',
      `
Examples:
  verbspec spec-book                                   rules and scenarios, without verdicts
  verbspec spec-book reports/out/sim reports/out/hca   ... with those of two runs
  verbspec spec-book --check                           exit code 1 if a sentence is not acknowledged`,
    )
    .action((runs: string[], options: Omit<SpecBookOptions, 'runs'>) => {
      done(commands.specBook({ ...options, runs }));
    });
}

function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

function number(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be an integer of 0 or more.');
  return Number(text);
}

function times(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be an integer of 1 or more.');
  return Number(text);
}

function pathMtu(text: string): number {
  if (!['256', '512', '1024', '2048', '4096'].includes(text)) throw new InvalidArgumentError('No such MTU.');
  return Number(text);
}
