import type { Command } from 'commander';
import { commands } from './commands';
import type { NewPageOptions } from './pages/new-page';
import type { TieOptions } from './pages/tie';

type Done = (code: number) => void;

/** `verbspec new-page`. */
export function addNewPage(program: Command, done: Done): void {
  program
    .command('new-page <page>')
    .description('draft clauses, sentences, feature and descriptions of the verbs of a man page that has none yet')
    .option('--family <name>', 'folder of the features that it goes into (default: the one that its name ends in)')
    .option('--man <folder>', 'man pages other than the installed ones: an unpacked libibverbs-dev')
    .option('--features <folder>', 'features other than those of verbspec')
    .addHelpText(
      'after',
      `
It writes PAGE.clauses.json, PAGE.sentences.json and PAGE.feature, prints descriptions of the verbs, and replaces nothing.

Examples:
  verbspec new-page ibv_modify_cq                      into features/cq
  verbspec new-page ibv_alloc_pd --family pd           into features/pd, which may be new
  verbspec new-page ibv_alloc_pd --family pd --man libibverbs-dev-65`,
    )
    .action((page: string, options: Omit<NewPageOptions, 'page'>) => {
      done(commands.newPage({ ...options, page }));
    });
}

/** `verbspec tie`. */
export function addTie(program: Command, done: Done): void {
  program
    .command('tie [page...]')
    .description('tie the clauses to the sentences of a newer edition of their man pages')
    .option('--man <folder>', 'man pages other than the installed ones: an unpacked libibverbs-dev')
    .option('--features <folder>', 'features other than those of verbspec')
    .addHelpText(
      'after',
      `
Clauses and notes stay with their sentences. What is new, changed or gone is listed, with the rules to look at.

Examples:
  verbspec tie --man libibverbs-dev-66                 all pages
  verbspec tie ibv_poll_cq --man libibverbs-dev-66     one of them`,
    )
    .action((pages: string[], options: Omit<TieOptions, 'pages'>) => {
      done(commands.tie({ ...options, pages }));
    });
}
