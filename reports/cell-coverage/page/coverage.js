'use strict';

// Cells are hidden that the reader does not ask for, with their rows and tables. Without this script, all of them are there.

const form = document.getElementById('filter');
const count = document.getElementById('count');
const cells = [...document.querySelectorAll('[data-reach]')];
const rows = [...document.querySelectorAll('.cells tbody tr')];
const sections = [...document.querySelectorAll('[data-kind]')];

const hasShown = (element) => element.querySelector('[data-reach]:not([hidden])') !== null;

function filter() {
  const asked = new FormData(form).get('reach') ?? '';
  for (const cell of cells) cell.hidden = asked !== '' && cell.dataset.reach !== asked;
  for (const row of rows) row.hidden = !hasShown(row);
  for (const section of sections) section.hidden = !hasShown(section);
  for (const table of document.querySelectorAll('.cells')) hideEmptyColumns(table);
  const shown = cells.filter((cell) => !cell.hidden).length;
  count.textContent = asked === '' ? '' : `${shown} of ${cells.length} cells`;
}

function hideEmptyColumns({ rows: lines }) {
  for (const heading of [...lines[0].cells].slice(1)) {
    const column = [...lines].map((line) => line.cells[heading.cellIndex]);
    const isEmpty = !column.some(hasShown);
    for (const cell of column) cell.hidden = isEmpty;
  }
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
filter(); // a browser may have kept what was asked
