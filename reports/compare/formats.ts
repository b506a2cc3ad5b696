/** Formats of a comparison of runs. */
export const compareFormats = ['terminal', 'markdown', 'json', 'html'] as const;

export type CompareFormat = (typeof compareFormats)[number];
