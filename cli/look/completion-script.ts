import { pagesPlace, rulesPlace, type CommandWords, type Completion, type CompletionWords } from './completion-words';
import type { Shell } from './shells';

/** zsh runs what is written for bash. */
const forZsh = `autoload -Uz compinit bashcompinit
(( \${+functions[compdef]} )) || compinit
bashcompinit`;

/** Needs no process to complete a word; a command or value without words falls back to files. */
const completes = `_verbspec() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} first=1 command='' words='' list=''
  COMPREPLY=()
  [[ $before == '=' ]] && before=\${COMP_WORDS[COMP_CWORD-2]}
  [[ $word == '=' ]] && word=''
  if [[ \${COMP_WORDS[0]##*/} == npx ]]; then
    [[ \${COMP_WORDS[1]} == verbspec ]] || return 0
    first=2
  fi
  (( COMP_CWORD < first )) && return 0
  (( COMP_CWORD > first )) && command=\${COMP_WORDS[first]}
  _verbspec_value "$command $before" || _verbspec_word "$command" "$word"
  if [[ -n $list ]]; then
    local done=\${word%"\${word##*,}"}
    COMPREPLY=($(compgen -P "$done" -W "$list" -- "\${word##*,}"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}`;

/** A script that completes commands, options, their values, pages and rules. */
export function completionScript(shell: Shell, { pages, rules, commands }: CompletionWords): string {
  const parts = [
    ...(shell === 'zsh' ? [forZsh] : []),
    `_verbspec_pages=${quoted(pages)}\n_verbspec_rules=${quoted(rules)}`,
    `_verbspec_value() {\n  case $1 in\n${commands.flatMap(valueCases).join('\n')}\n    *) return 1 ;;\n  esac\n}`,
    `_verbspec_word() {\n  case "$1 $2" in\n${wordCases(commands).join('\n')}\n  esac\n}`,
    completes,
    'complete -o default -F _verbspec verbspec npx',
  ];
  return `${parts.join('\n\n')}\n`;
}

function valueCases({ name, values }: CommandWords): string[] {
  return [...values].map(([flag, value]) => `    '${name} ${flag}') ${assigned(value)} ;;`);
}

function assigned({ words, isList }: Completion): string {
  return words.length === 0 ? ':' : `${isList ? 'list' : 'words'}=${quoted(words)}`;
}

function wordCases(commands: readonly CommandWords[]): string[] {
  const names = commands.map(({ name }) => name);
  return [
    `    ' -'*) words='--help --version' ;;`,
    `    ' '*) words=${quoted([...names, 'help'])} ;;`,
    `    'help '*) words=${quoted(names)} ;;`,
    ...commands.flatMap(({ name, flags, arguments: words }) => [
      `    '${name} -'*) words=${quoted(flags)} ;;`,
      ...(words.length === 0 ? [] : [`    '${name} '*) words=${listed(words)} ;;`]),
    ]),
  ];
}

function listed(words: readonly string[]): string {
  const places = new Map([
    [pagesPlace, '$_verbspec_pages'],
    [rulesPlace, '$_verbspec_rules'],
  ]);
  const isPlace = words.every((word) => places.has(word));
  return isPlace ? `"${words.map((word) => places.get(word)).join(' ')}"` : quoted(words);
}

/** The names are those of verbspec itself, and have no quotes. */
function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
