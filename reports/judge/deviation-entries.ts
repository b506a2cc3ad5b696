import type { Reckoning } from './match-deviations';
import { evidenceText } from '../../catalog/deviations';
import { symptomText } from '../../catalog/symptom';
import type { DeviationEntry } from './verdicts';

/** What became of a listed deviation, as in verdicts.json. */
export function deviationEntry(reckoning: Reckoning): DeviationEntry {
  const { rule, scenario, reason, link, owner, expires, showsOnlyIf, listedAt } = reckoning.deviation;
  return {
    rule,
    ...(scenario !== undefined && { scenario }),
    state: reckoning.state,
    reason,
    link,
    owner,
    ...(expires !== undefined && { expires }),
    ...(showsOnlyIf !== undefined && { showsOnlyIf }),
    ...(listedAt !== undefined && { listedAt }),
    detail: stateInWords(reckoning),
  };
}

/** What the list says of a scenario, in one line after what it did. */
export function matchDetail({ deviation, state, doubt }: Reckoning): string {
  const reason = `${deviation.reason} (${evidenceText(deviation)})`;
  switch (state) {
    case 'shown':
      return `known deviation: ${reason}`;
    case 'surprise':
      return `the known deviation did not show: ${reason}`;
    case 'wrong-symptom':
      return `not the known deviation, which shows as "${symptomText(deviation.symptom)}": ${reason}`;
    case 'expired':
      return `the known deviation expired, its last day was ${deviation.expires}: ${reason}`;
    case 'undecided':
      return `this may be the known deviation, but ${doubt}: ${reason}`;
    case 'not-this-time':
    case 'unused':
      return '';
  }
}

/** The state of an entry in one line, with the remedy where there has to be one. */
export function stateInWords({ deviation, state, doubt }: Reckoning): string {
  const { scenario, symptom, expires, owner, showsOnlyIf } = deviation;
  switch (state) {
    case 'shown':
      return 'it showed as it is listed';
    case 'surprise':
      return 'no scenario shows it any longer; take it off the list, or narrow its conditions';
    case 'not-this-time':
      return `it did not show this time; it does only if ${showsOnlyIf}`;
    case 'wrong-symptom':
      return `a scenario failed, but not as "${symptomText(symptom)}"; find out why, then fix the entry`;
    case 'expired':
      return `its last day was ${expires}; ask ${owner}, then take it off the list or give it another date`;
    case 'unused':
      return scenario === undefined
        ? 'its rule has no scenario that is left for it; take it off the list'
        : `its rule has no scenario "${scenario}"; name one that it has, or take the entry off the list`;
    case 'undecided':
      return `${doubt}, so it excuses nothing; write the condition otherwise`;
  }
}
