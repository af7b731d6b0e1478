// Puts the page together for the current view, again after every change.
'use strict';
(() => {
  const m = window.mxproof;
  const e = m.element;
  const byId = id => document.getElementById(id);
  const systemDark = matchMedia('(prefers-color-scheme: dark)');

  function applyTheme() {
    const dark = m.state.theme === 'dark' || (m.state.theme === 'auto' && systemDark.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    byId('theme').value = m.state.theme;
  }

  /** Radio buttons for the values that occur in the data of the device. */
  function choices(id, key, values) {
    const legend = byId(id).querySelector('legend');
    byId(id).hidden = values.length < 2;
    byId(id).replaceChildren(legend, ...values.map(value => e('label', {},
      e('input', {type: 'radio', name: id, value, checked: m.state[key] === value, onchange: () => m.change({[key]: value})}), value)));
  }

  /** A box for each path; kernels have a field of their own. */
  function pathBoxes() {
    const all = m.paths();
    const toggle = (path, on) => m.change({paths: all.map(p => p.name).filter(name => name === path ? on : m.chosen(name))});
    const box = ({name}) => e('label', {},
      e('input', {type: 'checkbox', name: 'path', value: name, checked: m.chosen(name), onchange: event => toggle(name, event.target.checked)}),
      m.swatch(name), name);
    for (const [id, members] of [['paths', all.filter(p => p.place !== 1)], ['kernels', all.filter(p => p.place === 1)]]) {
      byId(id).hidden = !members.length;
      byId(id).replaceChildren(byId(id).querySelector('legend'), ...members.map(box));
    }
  }

  function filters() {
    const focused = document.activeElement?.closest?.('#filters') && {name: document.activeElement.name, value: document.activeElement.value};
    byId('device').replaceChildren(...m.data.devices.map(device => e('option', {value: device.name, selected: device.name === m.state.device}, device.name)));
    const present = (key, order) => order.filter(value => m.ofDevice().some(series => series.shape !== 'any' && series[key] === value));
    const launches = present('launch', ['graph', 'eager', 'host']);
    const caches = present('cache', ['cold', 'hot']);
    if (launches.length && !launches.includes(m.state.launch)) m.state.launch = launches[0];
    if (caches.length && !caches.includes(m.state.cache)) m.state.cache = caches[0];
    choices('cache', 'cache', m.isEmulated() ? [] : caches);
    choices('launch', 'launch', m.isEmulated() ? [] : launches);
    pathBoxes();
    if (focused) {
      const again = [...document.querySelectorAll('#filters input')].find(input => input.name === focused.name && input.value === focused.value);
      again?.focus();
    }
  }

  function summary() {
    const runs = m.runsOfDevice();
    const newest = runs.at(-1);
    const rows = m.ofDevice().filter(series => !m.isControl(series));
    const good = rows.filter(series => m.passed(m.latest(series).verdict)).length;
    byId('summary').textContent = `${m.state.device} · ${runs.length > 1 ? `newest of ${runs.length} runs` : 'one run'}: commit ${m.shortCommit(newest)}, ` +
      `${newest.date.slice(0, 10)} · ${good} of ${rows.length} rows verified`;
  }

  function attention() {
    const items = m.attention();
    const problems = m.data.problems.length ? [e('div.notice.fair', {}, `${m.data.problems.length} files of the store could not be read:`,
      e('ul', {}, m.data.problems.map(problem => e('li', {}, problem))))] : [];
    const groups = new Map();
    for (const item of items) {
      const name = `${item.series.path}, ${m.shapeText(item.series.shape)}`;
      groups.set(name, [...(groups.get(name) || []), item]);
    }
    /** The view in which a row can be seen. */
    const view = ({path, cache, launch}) => ({cache, launch,
      paths: m.chosen(path) ? m.state.paths : [...m.paths().map(p => p.name).filter(m.chosen), path]});
    const link = ({series}) => e('a', {href: m.toHash({shape: series.shape, ...view(series)}),
      onclick: event => { event.preventDefault(); m.focusShape(series.shape, view(series)); }}, `${series.cache} ${series.launch}`);
    const list = [...groups].map(([name, members]) => e('li', {}, e('strong', {}, name), ': ',
      members.flatMap(({series, point}) => [link({series}), ' ', m.passed(point.verdict) ? m.changeTag(point) : m.badge(point.verdict), ' ']),
      members[0].point.message || ''));
    m.fill('attention-body', items.length ? e('div.notice.bad', {}, `${items.length} rows of ${m.state.device} are slower or wrong in their newest run:`, e('ul', {}, list))
                                          : e('div.notice.good', {}, `No row of ${m.state.device} is slower or wrong in its newest run.`), problems);
  }

  function tiles() {
    if (m.isEmulated()) return m.fill('tiles');
    const geomean = path => m.geomeanOf(shape => m.latestTime(m.find(path, shape)));
    const floor = geomean('stream_floor');
    const peers = m.paths().filter(p => p.control && p.name !== 'stream_floor' && m.find(p.name, m.benchmarkShapes[0])?.kind === 'peer');
    const ratios = us => [floor && `${m.number(us / floor)} × stream floor`,
                          ...peers.map(p => geomean(p.name) && `${m.number(us / geomean(p.name))} × ${p.name}`)].filter(Boolean).join(', ');
    m.fill('tiles', m.shownPaths().filter(geomean).map(path => e('div.tile', {'data-path': path}, e('div.name', {}, m.swatch(path), path),
        e('div.value', {}, m.us(geomean(path))), e('div.more', {}, ratios(geomean(path))))),
      m.publishedSeries().map(series => e('div.tile.published', {}, e('div.name', {}, series),
        e('div.value', {}, m.us(m.geomeanOf(shape => m.published(series, shape)))), e('div.more', {}, 'published, MI355X'))));
  }

  function historyCards() {
    const open = [...document.querySelectorAll('#charts details[open]')].map(node => node.closest('article').id);
    const beside = shape => m.publishedSeries().filter(series => m.published(series, shape))
      .map(series => `${series} ${m.us(m.published(series, shape))}`).join(', ');
    m.fill('charts', m.shapes().map(shape => {
      const focus = shape === m.state.shape;
      return e(`article.card${focus ? '.focus' : ''}`, {id: `shape-${shape}`, 'aria-label': m.shapeText(shape)},
        e('div.card-head', {}, e('h3', {}, m.shapeText(shape)),
          e('a', {href: m.toHash({shape: focus ? '' : shape}), onclick: event => { event.preventDefault(); m.focusShape(focus ? '' : shape); }}, focus ? 'smaller' : 'larger')),
        e('div.plot', {}, e('canvas')),
        beside(shape) ? e('p.beside', {}, e('span.published-mark', {}, 'published, MI355X'), ` ${beside(shape)}`) : null,
        e('details', {open: open.includes(`shape-${shape}`)}, e('summary', {}, 'Values'), e('div.scroll', {role: 'region', 'aria-label': `Values of ${m.shapeText(shape)}`, tabindex: 0}, m.historyTable(shape))));
    }));
    for (const shape of m.shapes()) m.historyChart(document.querySelector(`[id="shape-${shape}"] canvas`), shape);
  }

  function render() {
    applyTheme();
    filters();
    document.body.classList.toggle('emulated', m.isEmulated());
    m.clearCharts();
    summary();
    attention();
    tiles();
    byId('latest-note').textContent = m.isEmulated()
      ? 'Emulated device: counts, and a modelled time that is no latency.'
      : `Operands ${m.state.cache}, launched by ${m.state.launch === 'graph' ? 'graph replay' : m.state.launch === 'eager' ? 'single calls' : 'the host'}.`;
    m.fill('matrix', m.isEmulated() ? m.countsMatrix() : m.matrix());
    byId('published').checked = m.state.published;
    if (m.isEmulated()) {
      m.fill('charts');
      m.fill('dispatch-body');
    } else {
      m.latestChart(byId('latest-chart'));
      historyCards();
      m.fill('dispatch-body', m.dispatchTable());
    }
    m.fill('runs-body', m.runsTable());
    byId('rule').textContent = m.data.rule;
  }

  m.focusShape = (shape, more = {}) => {
    m.change({shape, ...more});
    if (shape) document.getElementById(`shape-${shape}`)?.scrollIntoView({block: 'start'});
  };

  async function copyLink() {
    const button = byId('copy-link');
    const link = location.href.split('#')[0] + m.toHash();
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = 'Copied';
    } catch {
      history.replaceState(null, '', m.toHash());
      button.textContent = 'Link is in the address bar';
    }
    byId('announce').textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy link to this view'; }, 2000);
  }

  function start() {
    m.fromHash(location.hash);
    m.render = render;
    byId('device').onchange = event => m.change({device: event.target.value, paths: null, shape: ''});
    byId('theme').onchange = event => m.change({theme: event.target.value});
    byId('published').onchange = event => m.change({published: event.target.checked});
    byId('copy-link').onclick = copyLink;
    byId('filters').onsubmit = event => event.preventDefault();
    document.querySelector('.skip').onclick = event => {
      event.preventDefault();
      byId('main-content').focus();
    };
    window.onhashchange = () => {
      m.fromHash(location.hash);
      render();
    };
    systemDark.onchange = render;
    render();
    if (m.state.shape) document.getElementById(`shape-${m.state.shape}`)?.scrollIntoView({block: 'start'});
  }
  start();
})();
