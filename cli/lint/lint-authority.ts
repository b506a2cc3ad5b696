import type { Clause } from '../../catalog/clauses';

/** How the section of a clause says that it is not one of the page. */
const mojo = 'RDMAmojo';

/** Clauses on a file descriptor that is used by `fcntl()` or `poll()`. */
const descriptorSlug = /\.fd-(nonblock|getfl|setfl|poll|get-after-poll)/;

/** What a clause says of its authority, and what its section or its id says otherwise. */
export function authorityProblems({ id, section, authority }: Clause): string[] {
  const isMojo = authority === 'rdmamojo';
  if (section.includes(mojo) && !isMojo) {
    return [
      `clause ${id} has the authority ${authority}, and its section, ${section}, names ${mojo}; name the section of the page that says it, or "rdmamojo"`,
    ];
  }
  if (isMojo && !section.includes(mojo)) {
    return [
      `clause ${id} has the authority rdmamojo, and its section, ${section}, is one of the page; write "(${mojo})" after the section, or name another authority`,
    ];
  }
  if (descriptorSlug.test(id) && authority !== 'posix') {
    return [`clause ${id} is about fcntl() or poll(), and its authority is ${authority}; make it "posix"`];
  }
  return [];
}
