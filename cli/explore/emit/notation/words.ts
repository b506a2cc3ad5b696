/** Lines that are no calls. */
export const words = {
  settle: 'settle',
  down: 'port down',
  up: 'port up',
  parallel: 'parallel {',
  thread: 'thread {',
  end: '}',
} as const;

/** Texts that need no quotation marks: 64 bits as they travel, and constants of C. */
export const wordPattern = /^0x(0|[1-9a-f][0-9a-f]{0,15})$/;
export const constantPattern = /^[A-Z][A-Z0-9_]*$/;
