import { explain } from '../evidence/explain';
import { traceOf } from '../evidence/recorded-trace';
import { renderTrace } from '../evidence/trace-text';
import type { JudgedRun } from '../judge/judged-run';
import type { CiCase } from './cases';

/** The cases of a run, those that failed with the explanation of their verdict and the calls that led there. */
export function withOutput(cases: readonly CiCase[], { scenarios, recording: { clauses, info } }: JudgedRun): CiCase[] {
  const outputs = new Map(
    scenarios.map((scenario) => {
      const { recorded, outcome } = scenario;
      const tell = (): string =>
        [explain(scenario, clauses, info) ?? '', renderTrace(traceOf(outcome.attempt)).join('\n')].join('\n\n').trim();
      return [`${recorded.uri}:${recorded.line}`, tell];
    }),
  );
  return cases.map((one) => {
    const isTold = one.place !== undefined && (one.state === 'failed' || one.state === 'error');
    const tell = isTold ? outputs.get(`${one.place.uri}:${one.place.line}`) : undefined;
    return tell === undefined ? one : { ...one, output: tell() };
  });
}
