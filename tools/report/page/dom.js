// Small helpers: elements without innerHTML (names come from files), numbers with their units.
'use strict';
window.mxproof = {};
(() => {
  /** element('td.big', {scope: 'row'}, 'text', child, ...) */
  function element(tag, attributes, ...children) {
    const [name, ...classes] = tag.split('.');
    const node = document.createElement(name);
    if (classes.length) node.className = classes.join(' ');
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === false || value === null || value === undefined) continue;
      if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children.flat()) {
      if (child !== null && child !== undefined) node.append(child);
    }
    return node;
  }

  const fill = (id, ...children) => document.getElementById(id).replaceChildren(...children.flat().filter(Boolean));

  /** Three significant digits, never in exponent form. */
  function number(value) {
    if (!Number.isFinite(value)) return '–';
    if (value === 0) return '0';
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
    return value.toFixed(Math.min(digits, 6));
  }
  const us = value => `${number(value)} µs`;
  const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
  const signed = value => `${value < 0 ? '−' : '+'}${percent(Math.abs(value))}`;
  const count = value => Math.round(value).toLocaleString('en-US');
  const shape = text => text.replaceAll('x', ' × ');

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  Object.assign(window.mxproof, {element, fill, number, us, percent, signed, count, shapeText: shape, color});
})();
