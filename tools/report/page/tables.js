// The tables: path against shape with verdicts, history values, host dispatch, runs.
'use strict';
(() => {
  const m = window.mxproof;
  const e = m.element;
  const marks = {'bit-equal': ['good', '✓'], 'within-bound': ['good', '≈'], 'no-output': ['good', '·'],
                 refused: ['fair', '⊘'], unverified: ['bad', '?'], error: ['bad', '!'], mismatch: ['bad', '✗']};

  const badge = (verdict, title) => {
    const [tone, mark] = marks[verdict] || marks.error;
    return e(`span.badge.${tone}`, {title}, `${mark} ${verdict}`);
  };

  function changeTag(point) {
    const outcome = point.change?.outcome;
    if (outcome === 'slower') return e('span.badge.bad', {}, `▲ ${m.signed(point.change.change)} slower`);
    if (outcome === 'faster') return e('span.badge.good', {}, `▼ ${m.signed(point.change.change)}`);
    if (outcome === 'lost') return e('span.badge.bad', {}, '▲ passed before');
    return null;
  }

  const block = node => node && e('div', {}, node);

  const staleNote = point => {
    const runs = m.runsOfDevice();
    return point.run === runs.at(-1).index ? null : e('small', {}, `from ${m.shortCommit(m.data.runs[point.run])}`);
  };

  /** A cell: time and verdict, or the verdict alone. */
  function cell(series, floorUs) {
    const point = m.latest(series);
    if (!point) return e('td', {}, '–');
    if (!point.us) {
      return e('td', {'data-verdict': point.verdict}, badge(point.verdict, point.message),
               point.message ? e('small.wrap', {}, point.message) : null, staleNote(point));
    }
    const ratio = floorUs && !m.isControl(series) ? e('small', {}, `${m.number(point.us.median / floorUs)} × floor`) : null;
    return e('td', {'data-verdict': point.verdict, 'data-us': point.us.median}, e('span.big', {}, m.us(point.us.median)),
             e('small', {}, `± ${m.percent(point.us.spread)}`), ratio,
             series.kind === 'floor' ? null : badge(point.verdict, point.id && `verification id ${point.id}`),
             block(changeTag(point)), staleNote(point));
  }

  const geomeanCell = us => e('td', us ? {'data-us': us} : {}, us ? e('span.big', {}, m.us(us)) : '–');

  function swatch(path) {
    const {color, dash} = m.look(path);
    return dash.length ? e('span.swatch.dashed', {style: `border-color:${color}`})
                       : e('span.swatch', {style: `background:${color}`});
  }

  const shapeHead = shape => e('th', {scope: 'col'},
    e('a', {href: m.toHash({shape}), onclick: event => { event.preventDefault(); m.focusShape(shape); }}, m.shapeText(shape)));

  function matrix() {
    const shapes = m.shapes();
    const floorOf = shape => m.latestTime(m.find('stream_floor', shape));
    const row = (path, control, first) => e(`tr${control ? '.control' : ''}${first ? '.first' : ''}`, {'data-path': path},
      e('th', {scope: 'row'}, swatch(path), ` ${path}`),
      shapes.map(shape => cell(m.find(path, shape), floorOf(shape))),
      geomeanCell(m.geomeanOf(shape => m.latestTime(m.find(path, shape)))));
    const controls = m.paths().filter(path => path.control && m.chosen(path.name)).map(path => path.name);
    return e('table', {},
      e('caption.visually-hidden', {}, `Newest time and verdict of each path and shape, ${m.state.cache}, ${m.state.launch}`),
      e('thead', {}, e('tr', {}, e('th', {scope: 'col'}, 'M × N × K'), shapes.map(shapeHead),
        e('th', {scope: 'col'}, 'geometric mean', e('small', {}, `${m.benchmarkShapes.length} benchmark shapes`)))),
      e('tbody', {}, m.shownPaths().map(path => row(path, false)), controls.map((path, i) => row(path, true, i === 0)),
        m.publishedSeries().map((series, i) => e(`tr.published${i === 0 ? '.first' : ''}`, {},
          e('th', {scope: 'row'}, series, e('small', {}, 'published, MI355X')),
          shapes.map(shape => e('td', {}, m.published(series, shape) ? m.us(m.published(series, shape)) : '–')),
          geomeanCell(m.geomeanOf(shape => m.published(series, shape)))))));
  }

  /** What an emulated run can say: counts and a modelled time. */
  function countsMatrix() {
    const shapes = m.shapes();
    const counts = series => {
      const point = m.latest(series);
      if (!point) return e('td', {}, '–');
      const {wave_instructions: waves, modelled_us: modelled, launches} = point.counters || {};
      return e('td', {'data-verdict': point.verdict},
        waves ? e('span.big', {}, m.count(waves)) : null, waves ? e('small', {}, 'wave-instructions') : null,
        modelled ? e('small', {}, `modelled ${m.us(modelled)}`) : null,
        launches ? e('small', {}, `${launches} launches`) : null, badge(point.verdict, point.message), ' ',
        changeTag(point), staleNote(point));
    };
    const launchOf = path => ['graph', 'eager', 'host'].find(launch => shapes.some(shape => m.find(path, shape, launch)));
    return e('table', {}, e('caption.visually-hidden', {}, 'Counts and verdict of each path and shape'),
      e('thead', {}, e('tr', {}, e('th', {scope: 'col'}, 'M × N × K'), shapes.map(shape => e('th', {scope: 'col'}, m.shapeText(shape))))),
      e('tbody', {}, m.shownPaths().map(path => e('tr', {'data-path': path}, e('th', {scope: 'row'}, swatch(path), ` ${path}`),
        shapes.map(shape => counts(m.find(path, shape, launchOf(path))))))));
  }

  /** The values of one history chart. */
  function historyTable(shape) {
    const series = [...m.shownPaths(), ...m.paths().filter(p => p.control && m.chosen(p.name)).map(p => p.name)]
      .map(path => m.find(path, shape)).filter(Boolean);
    return e('table', {}, e('caption.visually-hidden', {}, `Times of ${m.shapeText(shape)} in every run`),
      e('thead', {}, e('tr', {}, e('th', {scope: 'col'}, 'commit'), series.map(s => e('th', {scope: 'col'}, s.path)))),
      e('tbody', {}, m.runsOfDevice().map(run => e('tr', {}, e('th', {scope: 'row'}, m.shortCommit(run), e('small', {}, run.date.slice(0, 10))),
        series.map(s => {
          const point = m.pointAt(s, run.index);
          if (!point) return e('td', {}, '–');
          return e('td', {}, point.us ? [m.us(point.us.median), e('small', {}, `± ${m.percent(point.us.spread)}`)]
                                      : badge(point.verdict, point.message), changeTag(point));
        })))));
  }

  function dispatch() {
    const shapes = m.shapes().filter(shape => m.shownPaths().some(path => m.find(path, shape, 'eager')));
    if (!shapes.length) return e('p', {}, 'No eager rows in the store for this view.');
    const share = (path, shape) => {
      const eager = m.latest(m.find(path, shape, 'eager')), graph = m.latest(m.find(path, shape, 'graph'));
      if (!eager?.us || !graph?.us) return e('td', {}, '–');
      const part = Math.max(0, 1 - graph.us.median / eager.us.median);
      const {enqueue_us: enqueue, launches} = eager.counters;
      return e('td', {'data-share': part}, e('span.big', {}, m.percent(part, 0)),
        e('span.bar', {'aria-hidden': true}, e('span', {style: `width:${100 * part}%`})),
        e('small', {}, `eager ${m.us(eager.us.median)}`), e('small', {}, `graph ${m.us(graph.us.median)}`),
        enqueue ? e('small', {}, `enqueue ${m.us(enqueue)}`) : null,
        launches ? e('small', {}, `${launches} launch${launches === 1 ? '' : 'es'}`) : null);
    };
    return e('table', {}, e('caption.visually-hidden', {}, 'Share of an eager call that is host dispatch'),
      e('thead', {}, e('tr', {}, e('th', {scope: 'col'}, 'M × N × K'), shapes.map(shape => e('th', {scope: 'col'}, m.shapeText(shape))))),
      e('tbody', {}, m.shownPaths().map(path => e('tr', {'data-path': path}, e('th', {scope: 'row'}, swatch(path), ` ${path}`),
        shapes.map(shape => share(path, shape))))));
  }

  function runs() {
    const pair = (value, more) => e('td.left.wrap', {}, value || '–', more ? e('small.wrap', {}, more) : null);
    const columns = ['commit', 'device and driver', 'compiler and flags', 'clocks and power', 'build id and seed', 'file'];
    return e('table', {}, e('caption.visually-hidden', {}, 'All runs in the store, newest first'),
      e('thead', {}, e('tr', {}, columns.map(name => e('th.left', {scope: 'col'}, name)))),
      e('tbody', {}, [...m.data.runs].reverse().map(run => e('tr', {}, e('th', {scope: 'row'}, m.shortCommit(run), e('small', {}, run.date.slice(0, 16).replace('T', ' ')),
          run.dirty ? e('small', {}, 'uncommitted changes') : null),
        pair(m.data.devices[run.device].name, run.driver), pair(run.compiler, run.flags),
        pair(run.state_before, run.state_after && `after: ${run.state_after}`), pair(run.build_id, run.seed && `seed ${run.seed}`),
        pair(run.file)))));
  }

  Object.assign(m, {badge, changeTag, swatch, matrix, countsMatrix, historyTable, dispatchTable: dispatch, runsTable: runs});
})();
