import type { CqInitAttrEx } from '../../drivers/contract';

/** A CQ as a scenario wants it; what it leaves out is 0. */
export type CqWish = Pick<CqInitAttrEx, 'cqe'> & Partial<Pick<CqInitAttrEx, 'cqContext' | 'compVector'>>;
