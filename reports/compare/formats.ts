/** How a comparison of runs can be told. */
export const compareFormats = ['terminal', 'markdown', 'json', 'html'] as const;

export type CompareFormat = (typeof compareFormats)[number];
