import {
  bindsWithoutTheRight,
  byteLenOfReceivesAlone,
  furtherRequestIsRemembered,
  grhIsNotTold,
  polledCqesAreToldLate,
  refusesNegatively,
  requestsClaimCqes,
  resizeToTheSameIsRefused,
  rnrTimerIsItsOwn,
  sourceLosesBits,
} from './departures';
import { variants } from './index';
import type { Variant } from './variant';

/** What the sources of a provider tell of its devices. */
export interface Profile {
  /** User-space provider, as deviations name it. */
  readonly provider: string;
  /** What the profile is worth, in the words that a run begins with. */
  readonly statement: string;
  /** Variants, then departures. */
  readonly parts: readonly Pick<Variant, 'parts'>[];
}

/** The rdma-core whose sources were read. */
export const rdmaCoreRead = '65.0';

const read = 'as the sources of rdma-core 65 and Linux tell; nobody has compared it with hardware';

function profile(provider: string, names: readonly string[], departures: readonly Variant['parts'][] = []): Profile {
  const lawful = names.map((name) => {
    const variant = variants[name];
    if (variant === undefined) throw new Error(`there is no variant ${name}`);
    return variant;
  });
  return { provider, statement: read, parts: [...lawful, ...departures.map((parts) => ({ parts }))] };
}

/** Providers by the name that `--profile` has for them. */
export const profiles: Readonly<Record<string, Profile>> = {
  connectx: profile(
    'mlx5',
    [
      'arm-with-backlog-notifies',
      'arm-before-get-is-the-same-request',
      'cq-of-a-power-of-two-less-one',
      'small-messages-pass-by-the-region',
      'short-receives-of-small-messages-fail-alone',
      'qp-fatal-beside-cq-err',
      'without-sq-drain',
      'long-moderation-is-refused',
      'immediates-of-sends',
      'memory-is-written-when-the-cqe-is-taken',
    ],
    [bindsWithoutTheRight],
  ),
  irdma: profile(
    'irdma',
    [
      'cq-with-twice-the-room',
      'without-wc-dlid-path-bits',
      'without-completion-timestamps',
      'without-uc',
      'without-srq',
      'without-atomics',
      'statuses-are-coarse',
    ],
    [furtherRequestIsRemembered, rnrTimerIsItsOwn],
  ),
  bnxt_re: profile(
    'bnxt_re',
    [
      'cq-of-twice-the-size',
      'memory-windows-by-flag-alone',
      'without-extended-cqs',
      'without-uc',
      'without-sq-drain',
      'without-moderation',
      'without-last-wqe-event',
    ],
    [resizeToTheSameIsRefused, polledCqesAreToldLate, refusesNegatively('ibv_resize_cq', 'EINVAL'), sourceLosesBits],
  ),
  hns: profile('hns', [
    'arm-before-get-is-the-same-request',
    'arm-with-backlog-notifies',
    'cq-of-multiples-of-64',
    'small-messages-pass-by-the-region',
    'short-receives-of-small-messages-fail-alone',
    'memory-windows-by-flag-alone',
    'without-sq-drain',
    'without-uc',
  ]),
  mana: profile(
    'mana',
    [
      'arm-with-backlog-notifies',
      'without-solicited-events',
      'without-overrun-event',
      'without-extended-cqs',
      'without-resize',
      'without-moderation',
      'without-srq',
      'without-uc',
      'without-atomics',
      'cq-of-multiples-of-64',
    ],
    [byteLenOfReceivesAlone, requestsClaimCqes, refusesNegatively('ibv_req_notify_cq', 'EOPNOTSUPP')],
  ),
  efa: profile(
    'efa',
    [
      'arm-with-backlog-notifies',
      'arm-before-get-is-the-same-request',
      'without-connected-qps',
      'without-solicited-events',
      'without-overrun-event',
      'without-completion-timestamps',
      'without-resize',
      'without-moderation',
      'without-srq',
    ],
    [grhIsNotTold],
  ),
  siw: profile('siw', [
    'without-connection',
    'without-extended-cqs',
    'without-resize',
    'without-moderation',
    'without-uc',
    'without-ud',
  ]),
  // What rxe departs in is seen on rxe itself: this is the rest of it.
  rxe: profile('sim', ['qp-numbers-are-small', 'many-comp-vectors', 'vendor-err-of-zero']),
};
