import { oneLine } from '../../catalog/plain-text';
import { dutName } from './dut-name';
import { verdictsInReportOrder, type ScenarioVerdict } from '../../catalog/verdict';
import { scenariosOf, type Verdicts } from '../judge/verdicts';

/** A run in one line: `sim: 400 pass, 2 fail, 2 not-applicable`. */
export function runTitle(verdicts: Verdicts): string {
  const lost = verdicts.dutLost === undefined ? '' : ', device lost';
  const label = verdicts.label === undefined ? '' : `${oneLine(verdicts.label)}, `;
  return `${label}${dutName(verdicts)}: ${countsText(scenariosOf(verdicts))}${lost}`;
}

/** How often there is each verdict: `400 pass, 2 fail`. */
export function countsText(scenarios: readonly { readonly verdict: ScenarioVerdict }[]): string {
  const counts = verdictsInReportOrder.flatMap((verdict) => {
    const count = scenarios.filter((scenario) => scenario.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  return counts.join(', ') || 'nothing ran';
}
