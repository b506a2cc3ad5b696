import assert from 'node:assert/strict';
import { refused, usage } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Expectation, Try } from '../try';

/** What may lie among the results of Allure. */
const results: Readonly<Record<string, readonly [(scratch: Scratch) => void, Expectation]>> = {
  'a link to a secret': [
    (scratch) => {
      scratch.link('sent/allure-results/x-attachment.txt', '../../secret');
    },
    { code: [2, 3] },
  ],
  'a result that is a link to a secret': [
    (scratch) => {
      scratch.link('sent/allure-results/x-result.json', '../../secret');
    },
    { code: [2, 3] },
  ],
  'a folder of results that is a link': [
    (scratch) => {
      scratch.write('elsewhere/x-attachment.txt', 'SECRET');
      scratch.link('sent/allure-results/elsewhere', '../../elsewhere');
    },
    { code: [2, 3] },
  ],
  'a FIFO': [
    (scratch) => {
      scratch.fifo('sent/allure-results/x-attachment.txt');
    },
    { code: [2, 3] },
  ],
  'a result that is a FIFO': [
    (scratch) => {
      scratch.fifo('sent/allure-results/x-result.json');
    },
    { code: [2, 3] },
  ],
  'a result that is a folder': [
    (scratch) => {
      scratch.folder('sent/allure-results/x-result.json');
    },
    { code: [2, 3] },
  ],
  'a result of null': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', 'null');
    },
    refused(/x-result/),
  ],
  'a result of a list': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '[]');
    },
    refused(/x-result/),
  ],
  'a result without labels': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '{}');
    },
    refused(/x-result/),
  ],
  'a result that is cut off': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '{"na');
    },
    refused(/x-result/),
  ],
  'a result of many levels': [
    (scratch) => {
      scratch.write('sent/allure-results/x-result.json', '['.repeat(200_000) + ']'.repeat(200_000));
    },
    refused(/x-result/),
  ],
  'an attachment outside of them': [
    (scratch) => {
      const attachments = [{ name: 'x', type: 'text/plain', source: '../../secret' }];
      scratch.json('sent/allure-results/x-result.json', {
        uuid: 'x',
        name: 'x',
        labels: [],
        parameters: [],
        attachments,
      });
    },
    { code: [2, 3] },
  ],
  'a link in place of all': [
    (scratch) => {
      scratch.link('linked/allure-results', '/etc');
    },
    { code: [2, 3] },
  ],
};

function tryResult([name, [prepare, expect]]: readonly [
  string,
  readonly [(scratch: Scratch) => void, Expectation],
]): Try {
  return {
    name: `report: ${name}`,
    args: ['report', 'sent'],
    prepare: (scratch) => {
      scratch.run('sent');
      scratch.write('secret', 'SECRET');
      prepare(scratch);
    },
    expect,
    changes: ['out'],
    afterwards: ({ scratch }) => {
      if (!scratch.has('out')) return;
      for (const text of scratch.texts('out')) assert.doesNotMatch(text, /SECRET/, 'the report has the secret');
    },
    quick: name === 'a link to a secret' || name === 'a FIFO',
  };
}

/** Results of Allure that others have sent, which `report` puts into a page to share. */
export const allureResults: Area = {
  area: 'allure-results',
  tries: [
    ...Object.entries(results).map(tryResult),
    {
      name: 'report: a run that is named twice',
      args: ['report', 'sent', './sent'],
      prepare: (scratch) => {
        scratch.run('sent');
      },
      expect: usage(/sent/),
    },
  ],
};
