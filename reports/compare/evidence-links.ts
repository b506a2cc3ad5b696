/** Where the evidence of a run lies, seen from the file that the matrix is written to. */
export interface EvidenceLinks {
  /** Address of the Allure report, if there is one. */
  readonly report?: string;
  /** @returns the address of the recorded calls of a scenario, if they are there */
  readonly traceOf: (scenario: { readonly uri: string; readonly line: number }) => string | undefined;
}

/** A path as an address within a page: nothing in it may be taken for a scheme or an end. */
export function asAddress(path: string): string {
  const segments = path.split('/').map((segment) => encodeURIComponent(segment));
  return path.startsWith('/') || path.startsWith('.') ? segments.join('/') : `./${segments.join('/')}`;
}
