import { InvalidArgumentError } from 'commander';
import { authorities, type Authority } from '../../catalog/authority';
import { nearest } from '../../drivers/contract';

/**
 * The authorities that `--authority page,posix` names, each once, the strongest first.
 *
 * @param before - those of the same option earlier on the command line
 * @throws InvalidArgumentError naming the first that there is not
 */
export function authorityList(text: string, before: readonly Authority[] = []): readonly Authority[] {
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !authorities.some((authority) => authority === name));
  if (unknown !== undefined) throw new InvalidArgumentError(refusalOf(unknown));
  return authorities.filter((authority) => named.includes(authority) || before.includes(authority));
}

function refusalOf(name: string): string {
  const near = nearest(name, authorities);
  const remedy = near === undefined ? `Name ${authorities.join(', ')}, or several of them.` : `Did you mean ${near}?`;
  return `There is no authority "${name}". ${remedy}`;
}
