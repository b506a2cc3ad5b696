/* eslint-disable @typescript-eslint/no-require-imports -- an import would load all of them, which takes longer than many a command */
import type * as compareModule from './recorded/compare';
import type * as completionModule from './look/completion';
import type * as devicesModule from './look/devices';
import type * as doctorModule from './doctor/doctor';
import type * as exploreModule from './explore/explore';
import type * as faultsModule from './look/faults';
import type * as gateModule from './recorded/gate';
import type * as newPageModule from './pages/new-page';
import type * as proveLawfulModule from './prove/lawful/prove-lawful';
import type * as proveModule from './prove/prove';
import type * as proveSystematicModule from './prove/systematic/prove-systematic';
import type * as reportModule from './recorded/report';
import type * as reproduceModule from './reproduce/reproduce';
import type * as rulesModule from './rules/rules';
import type * as runModule from './run/run';
import type * as showModule from './look/show';
import type * as specBookModule from './recorded/spec-book';
import type * as tieModule from './pages/tie';

/** What each command does, loaded when it is asked for. */
export const commands = {
  get compare() {
    return (require('./recorded/compare') as typeof compareModule).compare;
  },
  get completion() {
    return (require('./look/completion') as typeof completionModule).completion;
  },
  get devices() {
    return (require('./look/devices') as typeof devicesModule).devices;
  },
  get doctor() {
    return (require('./doctor/doctor') as typeof doctorModule).doctor;
  },
  get explore() {
    return (require('./explore/explore') as typeof exploreModule).explore;
  },
  get faults() {
    return (require('./look/faults') as typeof faultsModule).faults;
  },
  get gate() {
    return (require('./recorded/gate') as typeof gateModule).gate;
  },
  get newPage() {
    return (require('./pages/new-page') as typeof newPageModule).newPage;
  },
  get prove() {
    return (require('./prove/prove') as typeof proveModule).prove;
  },
  get proveLawful() {
    return (require('./prove/lawful/prove-lawful') as typeof proveLawfulModule).proveLawful;
  },
  get proveSystematic() {
    return (require('./prove/systematic/prove-systematic') as typeof proveSystematicModule).proveSystematic;
  },
  get report() {
    return (require('./recorded/report') as typeof reportModule).report;
  },
  get reproduce() {
    return (require('./reproduce/reproduce') as typeof reproduceModule).reproduce;
  },
  get rules() {
    return (require('./rules/rules') as typeof rulesModule).rules;
  },
  get run() {
    return (require('./run/run') as typeof runModule).run;
  },
  get show() {
    return (require('./look/show') as typeof showModule).show;
  },
  get specBook() {
    return (require('./recorded/spec-book') as typeof specBookModule).specBook;
  },
  get tie() {
    return (require('./pages/tie') as typeof tieModule).tie;
  },
};
