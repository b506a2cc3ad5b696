'use strict';

// Stops a Node.js that is too old with a line that says so. Written so that such a Node.js can read it.

var oldest = 20;

if (parseInt(process.versions.node, 10) < oldest) {
  console.error(
    'Node.js ' + oldest + ' or newer is needed, this is ' + process.versions.node + '; see https://nodejs.org',
  );
  process.exit(3);
}
