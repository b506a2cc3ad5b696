import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const features = join(__dirname, '..', '..', 'features');

/** What machines and accounts are often called that is also a word of logs, assertions and messages. */
const commonWords = `
  account action active actual address admin agent alpha assert assertion async attempt backend bench beta board box
  branch bridge broken build builder cable call capability card central chassis check child client closed cloud cluster
  code command common complete compute config connection console container control controller core crash daemon data
  debian debug default delta demo desktop destination detail dev device dev-host disk domain down driver dump echo edge
  empty end endpoint engine error event example exception expected external fabric fail failed fatal fault fedora file
  firmware first flash fleet folder found front gamma gate gateway gitlab github global group guest handle hang hardware
  head home host hub idle image inactive info infra input install instance interface internal invalid io jenkins job
  kernel key known lab label laptop last lead leaf left limit line link linux list local lock log login loop machine
  main manager master matrix memory message missing mobile module monitor mount name near net network node normal notice
  object observed office offline old online open operation operator order origin other output owner panic parent passed
  path peer physical pipe pool port power primary probe process prod production project proof provider proxy public queue
  rack ready real receive reference relay release remote render replica report request reset result right rocky role
  root route router rule run runner sandbox scenario script second secondary secure sensor server service session setup
  shared shell signal simulator site slave slot socket source spare spine stack stage staging standby start state station
  status step storage store suite switch system table target task terminal test tester testing text thread time timeout
  token tool tower trace train transport tree trunk ubuntu unit unknown update user value verbs version view virtual vm
  volume warning web window work worker workstation zero zone
`;

let words: ReadonlySet<string> | undefined;

/** Whether a name is also a word that a run writes without meaning a machine or a person by it. */
export function isWord(name: string): boolean {
  words ??= new Set([...wordsOf(commonWords), ...wordsOf(textsBelow(features))]);
  return words.has(name.toLowerCase());
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*/g) ?? [];
}

/** The clauses and the features. */
function textsBelow(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name.endsWith('.feature') || name.endsWith('.clauses.json'),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}
