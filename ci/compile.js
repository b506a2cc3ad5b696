'use strict';

// Compiles the TypeScript of the project into build/js, so that commands start fast. Files that are compiled already stay.

const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { compile, compiledPath, isFresh } = require('./typescript');

const root = path.join(__dirname, '..');
const folders = ['bench', 'ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'];

const stale = folders
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(root, folder, name)),
  )
  .filter((file) => file.endsWith('.ts') && !file.startsWith(path.join(root, 'reports', 'out') + path.sep))
  .filter((file) => !isFresh(compiledPath(file), file));
for (const file of stale) write(file);

/** Written whole or not at all, as a command may be loading it. */
function write(file) {
  const compiled = compiledPath(file);
  const { atime, mtime } = statSync(file);
  const code = compile(readFileSync(file, 'utf8'), file);
  mkdirSync(path.dirname(compiled), { recursive: true });
  const partial = `${compiled}.${process.pid}`;
  writeFileSync(partial, code);
  utimesSync(partial, atime, mtime);
  renameSync(partial, compiled);
}
