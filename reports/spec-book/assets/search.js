'use strict';

// Searches what search-data.js holds. Text is put into the page as text, never as HTML.

/* global MiniSearch, searchEntries */
const resultsMax = 50;
/** Share of a word's letters that may differ; short words are meant as they are. */
const fuzziness = (word) => (word.length > 5 ? 0.2 : false);
const fields = ['name', 'title', 'text'];
const search = new MiniSearch({ fields, storeFields: ['href', 'title', 'place'] });
search.addAll(searchEntries);

const field = document.getElementById('q');
const results = document.getElementById('results');
const title = document.getElementById('results-title');

function show(query) {
  const found = search.search(query, {
    prefix: true,
    fuzzy: fuzziness,
    combineWith: 'AND',
    boost: { name: 3, title: 2 },
  });
  results.hidden = query.trim() === '';
  document.getElementById('results-count').textContent = countOf(found.length);
  document.getElementById('results-list').replaceChildren(...found.slice(0, resultsMax).map(itemOf));
}

function countOf(count) {
  if (count === 0) return 'Nothing found; try fewer or shorter words.';
  return count > resultsMax ? `${count} found, the first ${resultsMax} are shown` : `${count} found`;
}

function itemOf({ href, title: text, place }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  const from = document.createElement('span');
  from.className = 'place';
  from.textContent = place;
  item.append(link, ' ', from);
  return item;
}

field.addEventListener('input', () => show(field.value));
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  show(field.value);
  if (!results.hidden) title.focus();
});

const asked = new URLSearchParams(location.search).get('q');
if (asked) {
  field.value = asked;
  show(asked);
  title.focus();
}
