import type { Handle, TraceStruct } from '../contract';
import type { RawResult } from '../pipeline/backend';
import { refusalOf, type VerbName } from '../pipeline/conventions';
import type { Refusal } from './refusal';

/** What a verb gives when it does not refuse. */
export interface Success {
  readonly returned: number | Handle | null;
  readonly outputs: TraceStruct;
}

export type Returned = Pick<RawResult, 'returned' | 'errno' | 'outputs'>;

/** What the C functions return and leave in errno. */
export class ReturnValues {
  /** Rules `returns-zero`, `returns-pointer` and their like of each page; ibv_poll_cq.returns-count, .returns-zero-empty. */
  ofSuccess(_verb: VerbName, { returned, outputs }: Success): Returned {
    return { returned, outputs, errno: 0 };
  }

  /** Rules `returns-null`, `returns-minus-one`, `returns-errno`, `returns-negative`, `errno-on-null` of each page. */
  ofRefusal(verb: VerbName, { errno, outputs }: Refusal): Returned {
    return { returned: refusalOf(verb, errno), errno, outputs };
  }
}
