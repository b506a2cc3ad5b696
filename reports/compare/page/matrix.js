'use strict';

// Rows are hidden that the reader does not ask for. Without this script, all of them are there.

const form = document.getElementById('filter');
const [text, page, verdict] = ['filter-text', 'filter-page', 'filter-verdict'].map((id) => document.getElementById(id));
const count = document.getElementById('filter-count');
const rows = [...document.querySelectorAll('tr[data-page]')];
const words = new Map(rows.map((row) => [row, row.firstElementChild.textContent.toLowerCase()]));
const folds = [...document.querySelectorAll('details.alike')];

function isWanted(row) {
  const asked = text.value.toLowerCase().split(/\s+/);
  return (
    asked.every((word) => words.get(row).includes(word)) &&
    (page.value === '' || row.dataset.page === page.value) &&
    (verdict.value === '' || row.dataset.verdicts.split(' ').includes(verdict.value))
  );
}

function filter() {
  const isAsked = [text, page, verdict].some((field) => field.value.trim() !== '');
  for (const row of rows) row.hidden = !isWanted(row);
  for (const fold of folds) {
    const shown = [...fold.querySelectorAll('tr[data-page]')].filter((row) => !row.hidden);
    fold.hidden = shown.length === 0;
    fold.open = isAsked && shown.length > 0;
  }
  const shown = rows.filter((row) => !row.hidden).length;
  count.textContent = isAsked ? `${shown} of ${rows.length} rules` : '';
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
filter(); // a browser may have kept what was asked
