'use strict';

// Rules are folded away: whoever follows a link to one, prints, or asks for all, sees them open.

const rules = () => [...document.querySelectorAll('details')];

function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  const isFirst = target === target.parentElement?.firstElementChild;
  (isFirst ? target.closest('.row') : target)?.scrollIntoView();
}

window.addEventListener('hashchange', openTarget);
openTarget();

const button = document.getElementById('open-all');
button?.addEventListener('click', () => {
  const open = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', String(open));
  for (const rule of rules()) rule.open = open;
});

let closed = [];
window.addEventListener('beforeprint', () => {
  closed = rules().filter((rule) => !rule.open);
  for (const rule of closed) rule.open = true;
});
window.addEventListener('afterprint', () => {
  for (const rule of closed) rule.open = false;
});
