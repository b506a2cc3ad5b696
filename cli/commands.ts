/* eslint-disable @typescript-eslint/no-require-imports -- an import would load all of them, which takes longer than many a command */
import type * as compareModule from './compare';
import type * as doctorModule from './doctor';
import type * as gateModule from './gate';
import type * as proveModule from './prove';
import type * as reportModule from './report';
import type * as rulesModule from './rules';
import type * as runModule from './run';
import type * as specBookModule from './spec-book';

/** What each command does, loaded when it is asked for. */
export const commands = {
  get compare() {
    return (require('./compare') as typeof compareModule).compare;
  },
  get doctor() {
    return (require('./doctor') as typeof doctorModule).doctor;
  },
  get gate() {
    return (require('./gate') as typeof gateModule).gate;
  },
  get prove() {
    return (require('./prove') as typeof proveModule).prove;
  },
  get report() {
    return (require('./report') as typeof reportModule).report;
  },
  get rules() {
    return (require('./rules') as typeof rulesModule).rules;
  },
  get run() {
    return (require('./run') as typeof runModule).run;
  },
  get specBook() {
    return (require('./spec-book') as typeof specBookModule).specBook;
  },
};
