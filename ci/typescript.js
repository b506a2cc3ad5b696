'use strict';

// Lets Node.js load the project's TypeScript: node -r ./ci/typescript.js FILE.ts
//
// It takes what set-up has compiled into build/js. A file that has changed since, or a driver of the user's own, is
// compiled by ts-node as it is loaded.
//
// ts-node, and from 22 on Node.js, keep compiled code in the folder for temporary files, and run what lies there, whoever
// has put it there. So nothing is kept there: not by this process, nor by those that it starts.
process.env.DISABLE_V8_COMPILE_CACHE = '1';
process.env.NODE_DISABLE_COMPILE_CACHE = '1';

const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const { setFlagsFromString } = require('node:v8');

// A function has to run for seven times as long as usual before V8 optimizes it: most processes here end after a second
// or two, and would spend a quarter of it on code that they do not run again.
setFlagsFromString('--interrupt-budget=1000000');

const root = path.join(__dirname, '..');
const compiledFolder = path.join(root, 'build', 'js');

/** JavaScript of the files that were loaded without being compiled before. */
const compiledNow = new Map();
let service;

/** @returns the JavaScript of a TypeScript file, which ends with its source map */
function compile(text, file) {
  service ??= require('ts-node').create({ transpileOnly: true, cwd: root, project: path.join(root, 'tsconfig.json') });
  return service.compile(text, file);
}

/** Where the JavaScript of a file of the project lies once it is compiled. */
function compiledPath(file) {
  return path.join(compiledFolder, path.relative(root, file).replace(/\.ts$/, '.js'));
}

/** Whether a compiled file is of the source as it is now: its compiler gave it the time of the source. */
function isFresh(compiled, file) {
  const [its, of] = [compiled, file].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? NaN);
  return Math.round(its) === Math.round(of); // as Date has it, by which the time is given
}

function javascriptOf(file) {
  const compiled = compiledPath(file);
  if (compiled.startsWith(compiledFolder + path.sep) && isFresh(compiled, file)) return readFileSync(compiled, 'utf8');
  const code = compile(readFileSync(file, 'utf8'), file);
  compiledNow.set(file, code);
  return code;
}

/** Lets stack traces name lines of the TypeScript. */
function installSourceMaps() {
  const inline = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)\s*$/;
  require('@cspotcode/source-map-support').install({
    environment: 'node',
    handleUncaughtExceptions: false,
    retrieveSourceMap: (file) => {
      if (!file.endsWith('.ts')) return null;
      const [, map] = inline.exec(compiledNow.get(file) ?? javascriptOf(file)) ?? [];
      return map === undefined ? null : { url: file, map: Buffer.from(map, 'base64').toString() };
    },
  });
}

installSourceMaps();
require.extensions['.ts'] = (module, file) => {
  module._compile(javascriptOf(file), file);
};

module.exports = { compile, compiledPath, isFresh };
