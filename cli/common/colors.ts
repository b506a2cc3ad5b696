import { isColorSupported } from 'picocolors';

/** Whether colours are for a stream: it is a terminal, and the user has not said no. CI systems alone are no terminal. */
export function hasColors({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && isColorSupported;
}
