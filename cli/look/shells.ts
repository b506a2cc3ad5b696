/** Shells that verbspec has completion for. */
export const shells = ['bash', 'zsh'] as const;

export type Shell = (typeof shells)[number];
