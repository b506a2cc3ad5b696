'use strict';

// Filters the failures, opens what a link leads to, and opens all for a printer.

const form = document.querySelector('#filter');
const scenarios = [...document.querySelectorAll('#failures ~ .rule > .scenario')];

if (form) {
  const words = form.querySelector('#words');
  const cause = form.querySelector('#cause');
  const rules = [...document.querySelectorAll('#failures ~ .rule')];
  const texts = new Map(scenarios.map((one) => [one, textOf(one)]));

  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [scenario, text] of texts) {
      const isOfCause = !cause?.value || scenario.dataset.cause === cause.value;
      scenario.hidden = !(isOfCause && wanted.every((word) => text.includes(word)));
      if (!scenario.hidden) count += 1;
    }
    for (const rule of rules) rule.hidden = !rule.querySelector(':scope > .scenario:not([hidden])');
    form.querySelector('#count').textContent = `${count} of ${texts.size} shown`;
  };
  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();
}

/** A scenario with the words of its rule, without its calls. */
function textOf(scenario) {
  const parts = scenario.querySelectorAll(':scope > summary, :scope > .finding');
  const rule = [...scenario.parentElement.children].filter((one) => one.matches('h3, .cite, .deviation'));
  return [...rule, ...parts].map((one) => one.textContent.toLowerCase()).join(' ');
}

/** Where the calls of a step that failed are shown first. */
function showFailed(scenario) {
  const diagram = scenario.querySelector('.diagram');
  const failed = diagram?.querySelector('rect.bad');
  if (failed) diagram.scrollTop = Math.max(0, Number(failed.getAttribute('y')) - diagram.clientHeight / 2);
}

for (const scenario of document.querySelectorAll('.scenario')) {
  scenario.addEventListener('toggle', () => {
    if (scenario.open) showFailed(scenario);
  });
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const rule = target.closest('.rule');
  const first = target.closest('details') ?? rule?.querySelector(':scope > .scenario');
  for (let one = first; one; one = one.parentElement?.closest('details')) one.open = true;
  for (const one of [target, rule]) if (one) one.hidden = false;
  target.scrollIntoView();
}

addEventListener('hashchange', openTarget);
if (location.hash) openTarget();
else if (scenarios.length > 0 && scenarios.length <= 3) for (const one of scenarios) one.open = true;

let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const one of opened) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of opened) one.open = false;
});
