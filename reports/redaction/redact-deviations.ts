import { basename, dirname } from 'node:path';
import { mapStrings, type Data } from '../../drivers/contract';
import type { ListedDeviation } from '../../catalog/deviations';
import type { Matching, Reckoning } from '../judge/match-deviations';
import { symptomText, type Symptom } from '../../catalog/symptom';
import { redactData } from './redact-run';
import type { Redactor } from './redactor';

/** Where a list of the user's own names a machine that nobody else knows of: `on host lab-17`. */
const namedHost =
  /(?<=\b(?:host|hostname|machine|server|node)\s+)(?=[a-z-]*\d|[a-z]+-[a-z]+-)[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)*(?![\w-])/gi;
const mailAddress = /\b([\w.+-]+)@([a-z\d-]+(?:\.[a-z\d-]+)*)/gi;
const webAddress = /https?:\/\/[^\s"'<>)\]]+/g;
/** An entry of the user's own list without the persons, machines and folders that it names. */
export function redactDeviation(deviation: ListedDeviation, redactor: Redactor): ListedDeviation {
  const { scenario, when, symptom, reason, link, owner, showsOnlyIf, listedAt } = deviation;
  learnFrom([symptomText(symptom), reason, owner, showsOnlyIf ?? ''].join('\n'), redactor);
  const withoutUrls = (words: string): string => words.replace(webAddress, (found) => redactor.url(found));
  const text = (words: string): string => redactor.text(withoutUrls(words));
  const data = (pattern: Data): Data => redactData(mapStrings(pattern, withoutUrls), redactor);
  return {
    ...deviation,
    ...(scenario !== undefined && { scenario: text(scenario) }),
    when: { ...when, ...(when.driver !== undefined && { driver: text(when.driver) }) },
    symptom: isSeveral(symptom)
      ? symptom.map((one) => redactSymptom(one, text, data))
      : redactSymptom(symptom, text, data),
    reason: text(reason),
    link: redactor.url(link),
    owner: redactor.name('user', owner.toLowerCase()),
    ...(showsOnlyIf !== undefined && { showsOnlyIf: text(showsOnlyIf) }),
    ...(listedAt !== undefined && { listedAt: redactPlace(listedAt, redactor) }),
  };
}

/** What a list says of a run, in which other entries stand for those that are to be hidden. */
export function redactMatching(
  { matches, explained, reckonings }: Matching,
  redacted: ReadonlyMap<ListedDeviation, ListedDeviation>,
  redactor: Redactor,
): Matching {
  const others = new Map(
    reckonings.map((reckoning): [Reckoning, Reckoning] => {
      const { deviation, doubt } = reckoning;
      const other = redacted.get(deviation) ?? deviation;
      return [
        reckoning,
        { ...reckoning, deviation: other, ...(doubt !== undefined && { doubt: redactor.text(doubt) }) },
      ];
    }),
  );
  return {
    matches: matches.map((match) => match && others.get(match)),
    explained,
    reckonings: reckonings.map((reckoning) => others.get(reckoning) ?? reckoning),
  };
}

function isSeveral(symptom: ListedDeviation['symptom']): symptom is readonly Symptom[] {
  return Array.isArray(symptom);
}

function redactSymptom(symptom: Symptom, text: (words: string) => string, data: (pattern: Data) => Data): Symptom {
  if (typeof symptom === 'string') return symptom;
  const { step, subject, expected, observed } = symptom;
  return {
    ...(step !== undefined && { step: text(step) }),
    subject: text(subject),
    ...(expected !== undefined && { expected: data(expected) }),
    ...(observed !== undefined && { observed: data(observed) }),
  };
}

function learnFrom(words: string, redactor: Redactor): void {
  for (const [, user = '', host = ''] of words.matchAll(mailAddress)) {
    redactor.learnUser(user);
    redactor.learnHost(host);
  }
  for (const [host] of words.matchAll(namedHost)) redactor.learnHost(host);
}

/** The file's name and the line; its folder, unless it is the working folder, is the user's own affair. */
function redactPlace(listedAt: string, redactor: Redactor): string {
  const folder = dirname(listedAt);
  const file = redactor.text(basename(listedAt));
  return folder === '.' ? file : `${redactor.name('path', folder)}/${file}`;
}
