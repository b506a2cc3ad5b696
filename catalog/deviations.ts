import type { Dut } from '../drivers/contract';
import schema from './deviations.schema.json';
import { schemaCheck, type Departure } from './schema';
import type { Symptom } from './symptom';
import { inVersionRange, parseRange } from './version-range';

/** A known departure of some DUTs from a rule; the members are explained in deviations.schema.json. */
export interface Deviation {
  readonly rule: string;
  readonly scenario?: string;
  readonly when: {
    readonly driver?: string;
    readonly provider?: string;
    readonly vendorId?: number | string;
    readonly vendorPartId?: number | string;
    readonly fwVer?: string;
    readonly kernel?: string;
    readonly rdmaCore?: string;
  };
  /** Several where more than one finding of a scenario is due to it. */
  readonly symptom: Symptom | readonly Symptom[];
  readonly reason: string;
  readonly link: string;
  readonly owner: string;
  /** What it rests on; a run, unless given. */
  readonly basis?: 'run' | 'source';
  /** What it takes to show, where nothing that a run can look up says whether that is so. */
  readonly showsOnlyIf?: string;
  readonly source?: { readonly file: string; readonly function: string; readonly version: string };
  readonly expires?: string;
}

/** A deviation, and where it is listed: `drivers/deviations/rxe.json:12`. */
export interface ListedDeviation extends Deviation {
  readonly listedAt?: string;
}

/** What the conditions of a deviation are compared with. */
export interface Conditions {
  readonly driver: string;
  readonly dut: Partial<Dut>;
}

/** Whether an entry is about a DUT; and why, if that is unknown. */
export interface Applicability {
  readonly holds: boolean;
  readonly doubt?: string;
}

/** Where the evidence of an entry is, and what it is worth. */
export function evidenceText({ link, source }: Pick<Deviation, 'link' | 'source'>): string {
  if (source === undefined) return link;
  return `${link}: read in ${source.function}(), ${source.version}; not seen on hardware`;
}

const checkSchema = schemaCheck(schema);

/** Until version 2 a list was an array, and symptoms were regular expressions. */
const ofVersionOne: Departure = {
  path: '',
  text:
    'is of schema version 1, whose symptoms are regular expressions; write it as {"schemaVersion": 2, "deviations": [...]} ' +
    'with the symptoms from the failures.json of a run without it',
};

/** The entries of a list, or what keeps data from being one: an old version, departures from the schema, ranges amiss. */
export function asDeviations(data: unknown): readonly Deviation[] | { readonly departures: readonly Departure[] } {
  if (Array.isArray(data)) return { departures: [ofVersionOne] };
  const departures = checkSchema(data);
  if (departures.length > 0) return { departures };
  const { deviations } = data as { readonly deviations: readonly Deviation[] };
  const amiss = deviations.flatMap((deviation, index) =>
    contentDepartures(deviation).map(({ path, text }) => ({ path: `/deviations/${index}${path}`, text })),
  );
  return amiss.length > 0 ? { departures: amiss } : deviations;
}

/** What a schema cannot say. */
function contentDepartures({ when, expires }: Deviation): Departure[] {
  const ranges = versions.flatMap((key) => {
    const range = when[key];
    return range === undefined ? [] : departure(`/when/${key}`, () => parseRange(range));
  });
  return [
    ...ranges,
    ...(expires === undefined || isDate(expires) ? [] : [{ path: '/expires', text: `"${expires}" is not a date` }]),
  ];
}

function departure(path: string, read: () => unknown): Departure[] {
  try {
    read();
    return [];
  } catch (error) {
    return [{ path, text: error instanceof Error ? error.message : String(error) }];
  }
}

/** 30 February is read as 2 March. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const versions = ['kernel', 'rdmaCore', 'fwVer'] as const;

/**
 * Whether all conditions of an entry hold on a DUT. One on something that the DUT does not report never does, and one on a
 * version that cannot be compared leaves a doubt, unless another condition rules the entry out.
 */
export function applicability({ when }: Pick<Deviation, 'when'>, { driver, dut }: Conditions): Applicability {
  const exact = [
    [when.driver, driver],
    [when.provider, dut.provider],
    [when.vendorId, dut.vendorId],
    [when.vendorPartId, dut.vendorPartId],
  ] as const;
  if (exact.some(([wanted, is]) => wanted !== undefined && wanted !== is && Number(wanted) !== is)) {
    return { holds: false };
  }
  const ranges = versions.flatMap((key) => {
    const range = when[key];
    return range === undefined ? [] : [{ key, range, version: dut[key] ?? '' }];
  });
  const results = ranges.map(({ range, version }) => inVersionRange(version, range));
  if (results.includes(false)) return { holds: false };
  const unknown = ranges[results.indexOf(undefined)];
  if (unknown === undefined) return { holds: true };
  return { holds: false, doubt: `${unknown.key} "${unknown.version}" cannot be compared with "${unknown.range}"` };
}

/** Whether an entry has run out: its last day is before that of a run, both in UTC. */
export function isExpired({ expires }: Deviation, startMs: number): boolean {
  return expires !== undefined && expires < new Date(startMs).toISOString().slice(0, 10);
}
