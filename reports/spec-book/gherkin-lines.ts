/** A line of Gherkin, its keyword apart. */
export interface GherkinLine {
  readonly indent: string;
  readonly keyword: string;
  readonly rest: string;
}

const line = /^(\s*)((?:Background|Scenario Outline|Scenario|Examples):|Given|When|Then|And|But|)(.*)$/;

/** The lines of Gherkin, for readers. */
export function gherkinLines(source: string): GherkinLine[] {
  return source.split('\n').map((text) => {
    const [, indent = '', keyword = '', rest = ''] = line.exec(text) ?? [];
    return { indent, keyword, rest };
  });
}
