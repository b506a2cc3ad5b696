import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildResult, type Plugin } from 'esbuild';
import { root } from '../../cli/common/project';
import { featurePaths } from '../../cli/inputs/features';

/** Cucumber is a program for Node.js. Parts of it that steps do not see stay as they are. */
const cucumber: Plugin = {
  name: 'cucumber',
  setup(build) {
    build.onResolve({ filter: /^@cucumber\/cucumber$/ }, () => ({ path: join(__dirname, 'page', 'cucumber.ts') }));
  },
};

/** What was bundled: its outputs are in memory. */
export type Bundle = BuildResult<{ metafile: true; write: false }>;

/** The script of the page: all features, all steps, the simulator, and `runFeatures(fault)`, which runs them. */
export function mainScript(): string {
  const features = featurePaths();
  const steps = readdirSync(join(root, 'steps'), { recursive: true, encoding: 'utf8' });
  return [
    ...steps.filter((file) => file.endsWith('.ts')).map((file) => `import './steps/${file}';`),
    ...features.map((path, index) => `import feature${index} from './${path}';`),
    "import { runFeatures } from './ci/browser/page/run-features';",
    `const features = { ${features.map((path, index) => `'${path}': feature${index}`).join(', ')} };`,
    'globalThis.runFeatures = (fault) => runFeatures(features, fault);',
  ].join('\n');
}

/**
 * Puts a script and all that it imports into one file for browsers.
 *
 * @throws an error if something of it imports a module of Node.js
 */
export function bundle(script: string): Promise<Bundle> {
  return build({
    stdin: { contents: script, resolveDir: root },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    conditions: ['require'], // all that Cucumber has for its parts
    loader: { '.feature': 'text' },
    keepNames: true, // Cucumber records the name of an error's class
    plugins: [cucumber],
    metafile: true,
    write: false,
    logLevel: 'silent', // warnings are in the result
  });
}
