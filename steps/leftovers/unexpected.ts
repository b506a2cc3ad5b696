import { hex64, Unexpected, type CallRecord, type Driver, type Handle } from '../../drivers/contract';
import { hasSentIn, unaccountedIn, type Unaccounted } from './account';
import { nameOfHandle } from './names';
import type { Element } from './stray-async-events';
import { takeCompletions } from './take-completions';
import { takeEvents } from './take-events';
import type { VerbsWorld } from '../world/world';

/** CQEs that a message lists of each CQ. */
const listedMax = 4;

/**
 * Takes what the scenario left on CQs, completion channels and contexts, and accounts for all that it was given.
 *
 * @throws Unexpected for what nothing in the scenario accounts for
 */
export async function expectNothingUnaccounted(world: VerbsWorld): Promise<void> {
  const drivers = [world.driver, ...world.nodes.others.values()];
  for (const driver of drivers) await takeLeftovers(world, driver);
  const hasSent = drivers.some((driver) => hasSentIn(driver.trace()));
  const observed = drivers.flatMap((driver) => {
    const unaccounted = unaccountedIn(driver.trace(), { ports: driver.dut.physPortCnt, hasSent });
    return linesOf(unaccounted, (handle) => (driver === world.driver ? nameOfHandle(world, handle) : handle));
  });
  if (observed.length === 0) return;
  throw new Unexpected({ subject: 'unexpected in the scenario', expected: 'nothing', observed });
}

/** Takes what the device has announced to a scenario that failed: it may be that it is dying. */
export async function takeAnnouncements({ driver, nodes: { teardown } }: VerbsWorld): Promise<void> {
  const isThere = (object: object): boolean => teardown.has(object);
  await Promise.all(teardown.living('context', driver).map((context) => takeEvents(driver, { context }, isThere)));
}

async function takeLeftovers(world: VerbsWorld, driver: Driver): Promise<void> {
  const { teardown } = world.nodes;
  const contexts = teardown.living('context', driver);
  if (contexts.length === 0) return;
  const isThere = (object: object): boolean => teardown.has(object);
  if (canComeLater(driver.trace())) await driver.settle();
  await Promise.all([
    ...teardown
      .living('cq', driver)
      .filter((cq) => !world.batches.isOpen(cq))
      .map((cq) => takeCompletions(driver, cq)),
    ...teardown.living('channel', driver).map((channel) => takeEvents(driver, { channel }, isThere)),
    ...contexts.map((context) => takeEvents(driver, { context }, isThere)),
  ]);
}

/** Without work and moves of QPs there is nothing to wait for: what comes of itself has come, or comes at any time. */
function canComeLater(trace: readonly CallRecord[]): boolean {
  return trace.some(({ verb }) => /^ibv_(post_|modify_)/.test(verb));
}

function linesOf(unaccounted: Unaccounted, nameOf: (handle: Handle) => string): string[] {
  const { completions, compEvents, asyncEvents } = unaccounted;
  const cqs = [...new Set(completions.map(({ cq }) => cq))];
  return [
    ...cqs.map((cq) =>
      completionsLine(
        nameOf(cq),
        completions.filter((one) => one.cq === cq),
      ),
    ),
    ...compEvents.map(({ cq, count, why }) => `${counted(count, 'completion event')} of ${nameOf(cq)}: ${why}`),
    ...asyncEvents.map(({ eventType, element, count, why }) => {
      return `${counted(count, 'asynchronous event')} ${typeText(eventType)}${elementText(element, nameOf)}: ${why}`;
    }),
  ];
}

const typeText = (eventType: string): string => (eventType === '' ? 'without a type' : eventType);

function elementText(element: Element, nameOf: (handle: Handle) => string): string {
  if (element === null) return '';
  return typeof element === 'number' ? ` for port ${element}` : ` for ${nameOf(element)}`;
}

function completionsLine(cq: string, completions: Unaccounted['completions']): string {
  const listed = completions
    .slice(0, listedMax)
    .map(({ wrId, status, qpNum }) =>
      [
        wrId === undefined ? 'not read' : `wr_id ${hex64(wrId)}`,
        ...(status === undefined ? [] : [status]),
        ...(qpNum === undefined ? [] : [`qp_num ${qpNum}`]),
      ].join(' '),
    );
  const more = completions.length > listedMax ? ', …' : '';
  return `${counted(completions.length, 'CQE')} of ${cq}: no work request accounts for ${listed.join(', ')}${more}`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
