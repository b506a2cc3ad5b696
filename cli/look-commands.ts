import { Argument, type Command } from 'commander';
import { commands } from './commands';
import { shells, type Shell } from './look/shells';

type Done = (code: number) => void;

/** `verbspec show`, `faults` and `devices`: what there is to know before a run. */
export function addLook(program: Command, done: Done): void {
  program
    .command('show <rule>')
    .description('print a rule: what it says, its scenarios, the faults that it catches, who is known to deviate')
    .option('--json', 'machine-readable', false)
    .addHelpText('after', '\nExamples:\n  verbspec show ibv_req_notify_cq.one-shot')
    .action((rule: string, { json }: { json: boolean }) => {
      done(commands.show(rule, json));
    });
  program
    .command('faults [page-or-rule...]')
    .description('list the faults that `run --fault` can plant in the simulator')
    .option('--json', 'machine-readable', false)
    .addHelpText('after', '\nExamples:\n  verbspec faults ibv_resize_cq\n  verbspec faults ibv_req_notify_cq.one-shot')
    .action((selectors: string[], { json }: { json: boolean }) => {
      done(commands.faults({ selectors, json }));
    });
  program
    .command('devices')
    .description('list the RDMA devices of this machine, with their GIDs and what to pass to `run` for each')
    .option('--json', 'machine-readable', false)
    .addHelpText('after', '\nExamples:\n  verbspec devices')
    .action(({ json }: { json: boolean }) => {
      done(commands.devices(json));
    });
  program
    .command('completion')
    .description('print a script with which bash or zsh completes commands, options, their values, pages and rules')
    .addArgument(new Argument('<shell>', 'bash or zsh').choices(shells))
    .addHelpText('after', '\nExamples:\n  source <(npx verbspec completion bash)     in ~/.bashrc')
    .action((shell: Shell) => {
      done(commands.completion(shell, program));
    });
}
