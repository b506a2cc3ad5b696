import { isWord } from './vocabulary';

/** Names that say nothing of a machine. */
const commonHosts = ['', '(none)', 'localhost', 'localhost.localdomain', 'ip6-localhost'];
/** Names that say nothing of a person. */
const commonUsers = ['', 'root', 'nobody', 'daemon', 'ubuntu', 'debian', 'runner', 'jenkins', 'gitlab-runner', 'git'];

/** Where a name may begin: not within a word, but after an escape of JSON, of a URL, or of a terminal's colours. */
const begins = '(?:(?<![a-z0-9-])|(?<=\\\\[nrtbf]|%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\x1b\\[[0-9;]*m|\\[[0-9;]*m))';
const ends = '(?![a-z0-9])';
/** Labels of a domain that a known machine may stand in; one alone could be the ending of a file. */
const domain = '(?:\\.[a-z][a-z0-9-]*[a-z0-9]){2,5}(?![a-z0-9])';

/** What stands in front of a name of a machine in the words of ssh, of syslog, of uname, and of this program. */
const beforeHost = [
  '[\\w.+-]@\\[?',
  ':\\/\\/(?:[^\\/\\s@]*@)?',
  '\\bhost[ _-]?name["\']?[ :=]+["\']?',
  '\\bhost["\']?[:=]["\' ]*',
  '\\bto host ',
  '\\b(?:connect(?:ion|ed)?|connecting|logged in) to ["\'`]?',
  '\\b(?:started|logged in) on ["\'`]?',
  '\\bssh ["\'`]?',
  '\\b(?:Timeout, server|Permanently added) ["\'`]?',
  '\\bLinux (?=\\S+ \\d)',
  '\\b\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)? (?=\\S+ [\\w./-]+(?:\\[\\d+\\])?: )',
];
/** A port after it shows that it is a machine. */
const afterHost = ':\\d{2,5}(?![\\d:])';
const beforeUser = [
  '\\buser(?:[ _-]?name)?["\']?[ :=]+["\']?',
  '\\bsudo -u ',
  '\\buid=\\d+\\(',
  '\\/(?:home|Users)\\/',
];
const afterUser = '@(?=[a-z0-9[])';

/** Letters of a name that may be anything: a variable, a unit. */
const shortMax = 2;

/** Machines or persons whose names are to be hidden. */
export class Names {
  /** What each name stands for: with or without its domain, a machine is the same. */
  readonly #identities = new Map<string, string>();
  /** The name with its domain that a name without one is short for. */
  readonly #longForms = new Map<string, string>();
  readonly #domains = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(readonly kind: 'host' | 'user') {}

  /** Takes note of a name; one that every machine has is none. */
  learn(name: string): void {
    const spelled = name.toLowerCase().replace(/\.$/, '');
    if ((this.kind === 'host' ? commonHosts : commonUsers).includes(spelled)) return;
    if (!/^(?=.*[a-z])[a-z0-9_][\w.+-]*$/.test(spelled) || this.#identities.has(spelled)) return;
    this.#identify(spelled);
    const [label = '', ...labels] = this.kind === 'host' ? spelled.split('.') : [];
    if (labels.length > 1) this.#domains.add(labels.join('.'));
    if (label !== spelled && /[a-z]/.test(label)) this.#identify(label);
    this.#pattern = undefined;
  }

  /** A text in which each of the names is replaced. */
  replaceIn(text: string, pseudonym: (identity: string) => string): string {
    if (this.#identities.size === 0) return text;
    this.#pattern ??= this.#build();
    return text.replace(this.#pattern, (found) => pseudonym(`${this.kind} ${this.#identify(found.toLowerCase())}`));
  }

  /** Machines of the same name in two domains are two; the first that is seen goes by the short name too. */
  #identify(spelled: string): string {
    const known = this.#identities.get(spelled);
    if (known !== undefined) return known;
    const [label = spelled, ...labels] = this.kind === 'host' ? spelled.split('.') : [spelled];
    const isFirst = labels.length === 0 || !this.#longForms.has(label);
    if (labels.length > 0 && isFirst) this.#longForms.set(label, spelled);
    const identity = isFirst && !this.#domains.has(spelled) ? label : spelled;
    this.#identities.set(spelled, identity);
    return identity;
  }

  /** Longer names first, as they may begin with shorter ones. */
  #build(): RegExp {
    const names = [...this.#identities.keys()].sort((one, other) => other.length - one.length);
    const domains = [...this.#domains].sort((one, other) => other.length - one.length);
    const alternatives = [
      ...domains.map((name) => `${begins}(?:[a-z0-9][a-z0-9-]{0,62}\\.){0,8}${escaped(name)}${ends}`),
      ...names.map((name) => this.#patternOf(name)),
    ];
    return new RegExp(alternatives.join('|'), 'gi');
  }

  #patternOf(name: string): string {
    const source = escaped(name);
    const withDomain = this.kind === 'host' && !name.includes('.') ? `${source}(?:${domain})?` : source;
    if (!isWord(name) && name.length > shortMax) return `${begins}${withDomain}${ends}`;
    const [before, after] = this.kind === 'host' ? [beforeHost, afterHost] : [beforeUser, afterUser];
    const whole = `${source}(?![\\w-])`;
    return `(?<=${before.join('|')})${whole}|(?<![\\w.-])${whole}(?=${after})`;
  }
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
