// The charts: the newest times as bars, and each shape's history as lines with whiskers.
'use strict';
(() => {
  const m = window.mxproof;
  const shapesOfPoints = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'crossRot', 'cross', 'rectRounded'];
  const drawn = [];

  /** Colour and point of a path follow from its place among all paths, whatever is filtered. */
  function look(path) {
    const index = m.ourPaths().indexOf(path);
    if (index < 0) {
      const control = m.paths().filter(p => p.control).findIndex(p => p.name === path);
      const kind = m.data.series.find(series => series.path === path).kind;
      return {color: m.color(kind === 'peer' ? '--text' : '--control'), dash: [[2, 3], [8, 4], [10, 3, 2, 3]][control % 3], point: 'line'};
    }
    return {color: m.color(`--s${index % 8}`), dash: [], point: shapesOfPoints[index % 8]};
  }

  /** Draws the middle half of the repeats through each point. */
  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const {ctx, scales: {y}} = chart;
      ctx.save();
      chart.data.datasets.forEach((dataset, i) => {
        if (!dataset.whiskers || !chart.isDatasetVisible(i)) return;
        ctx.strokeStyle = dataset.borderColor;
        ctx.lineWidth = 1.5;
        chart.getDatasetMeta(i).data.forEach((point, j) => {
          const range = dataset.whiskers[j];
          if (!range) return;
          const [low, high] = range.map(value => y.getPixelForValue(value));
          ctx.beginPath();
          ctx.moveTo(point.x, low);
          ctx.lineTo(point.x, high);
          for (const end of [low, high]) {
            ctx.moveTo(point.x - 3, end);
            ctx.lineTo(point.x + 3, end);
          }
          ctx.stroke();
        });
      });
      ctx.restore();
    },
  };

  /** A tooltip as an element: it can be read, selected by tests, and leaves the chart's edges. */
  function showTooltip({chart, tooltip}) {
    const box = document.getElementById('tooltip');
    const item = tooltip.opacity > 0 && tooltip.dataPoints?.[0];
    box.hidden = !item;
    if (!item) return;
    box.replaceChildren(...item.dataset.describe(item.dataIndex).map(line => m.element('div', {}, line)));
    const area = chart.canvas.getBoundingClientRect();
    const left = Math.min(area.left + tooltip.caretX + 14, document.documentElement.clientWidth - box.offsetWidth - 8);
    box.style.left = `${Math.max(8, left) + window.scrollX}px`;
    box.style.top = `${area.top + tooltip.caretY + 14 + window.scrollY}px`;
  }

  function options(yTitle) {
    const text = m.color('--muted');
    const axis = {ticks: {color: text, maxRotation: 50}, grid: {color: m.color('--grid')}};
    return {
      animation: false, responsive: true, maintainAspectRatio: false,
      interaction: {mode: 'nearest', intersect: false},
      layout: {autoPadding: false, padding: {top: 8, right: 8}},
      scales: {x: {...axis, offset: true, grid: {display: false}},
               y: {...axis, title: {display: true, text: yTitle, color: text}, beginAtZero: true, grace: '5%'}},
      plugins: {legend: {display: false}, tooltip: {enabled: false, external: showTooltip}},
    };
  }

  /** Arrow keys walk over the points of the focused chart; each is shown and announced. */
  function walkByKeys(canvas, chart) {
    let at = -1;
    const stops = [];
    chart.data.datasets.forEach((dataset, datasetIndex) => dataset.data.forEach((value, index) => {
      if (value !== null && !dataset.isLine) stops.push({datasetIndex, index});
    }));
    const show = active => {
      const meta = active[0] && chart.getDatasetMeta(active[0].datasetIndex).data[active[0].index];
      chart.tooltip.setActiveElements(active, meta ? {x: meta.x, y: meta.y} : {x: 0, y: 0});
      chart.update();
    };
    canvas.tabIndex = 0;
    canvas.onkeydown = event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step || !stops.length) return;
      event.preventDefault();
      at = (at + step + stops.length) % stops.length;
      show([stops[at]]);
      const {datasetIndex, index} = stops[at];
      document.getElementById('announce').textContent = chart.data.datasets[datasetIndex].describe(index).join(', ');
    };
    canvas.onblur = () => { at = -1; show([]); };
  }

  function draw(canvas, config, label) {
    Chart.getChart(canvas)?.destroy();
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    const chart = new Chart(canvas, config);
    walkByKeys(canvas, chart);
    drawn.push(chart);
  }

  function describePoint(series, point) {
    const run = m.data.runs[point.run];
    const lines = [`${series.path}, ${m.shapeText(series.shape)}`, `commit ${m.shortCommit(run)}, ${run.date.slice(0, 10)}`];
    if (point.us) {
      lines.push(`${m.us(point.us.median)} (middle half ${m.number(point.us.low)} to ${m.us(point.us.high)}, ` +
                 `${point.us.repeats} repeats)`);
    }
    lines.push(`${point.verdict}${point.id ? ` · id ${point.id}` : ''}`);
    if (point.change && Number.isFinite(point.change.change) && point.us) {
      lines.push(`${m.signed(point.change.change)} against ${m.shortCommit(m.data.runs[point.change.base])}: ` +
                 point.change.outcome);
    }
    return lines;
  }

  /** One line of a history chart. Failed points leave a gap. */
  function lineOf(series, runs) {
    const {color, dash, point} = look(series.path);
    const points = runs.map(run => m.pointAt(series, run.index));
    const slow = points.map(p => ['slower', 'lost'].includes(p?.change?.outcome));
    return {
      label: series.path, data: points.map(p => p?.us?.median ?? null), whiskers: points.map(p => p?.us && [p.us.low, p.us.high]),
      describe: i => describePoint(series, points[i]),
      borderColor: color, backgroundColor: color, borderDash: dash, borderWidth: m.isControl(series) ? 1.5 : 2,
      pointStyle: slow.map(s => s ? 'crossRot' : point), pointRadius: slow.map(s => s ? 8 : m.isControl(series) ? 2 : 4),
      pointBorderColor: slow.map(s => s ? m.color('--bad') : color), pointBorderWidth: slow.map(s => s ? 3 : 1),
      pointHoverRadius: 7, spanGaps: false,
    };
  }

  function publishedLine(series, us, count) {
    return {label: `published, MI355X: ${series}`, data: Array(count).fill(us), isLine: true,
            describe: () => [`published for MI355X, not measured here`, `${series}: ${m.us(us)}`],
            borderColor: m.color('--fair'), borderDash: [1, 4], borderWidth: 2, pointRadius: 0, pointHoverRadius: 0};
  }

  function historyChart(canvas, shape) {
    const runs = m.runsOfDevice();
    const paths = [...m.shownPaths(), ...m.paths().filter(p => p.control && m.chosen(p.name)).map(p => p.name)];
    const datasets = paths.map(path => m.find(path, shape)).filter(Boolean).map(series => lineOf(series, runs));
    if (m.state.published) {
      for (const series of m.publishedSeries()) {
        const us = m.published(series, shape);
        if (us) datasets.push(publishedLine(series, us, runs.length));
      }
    }
    draw(canvas, {type: 'line', data: {labels: runs.map(m.shortCommit), datasets}, options: options('µs'), plugins: [whiskers]},
         `Latency of ${m.shapeText(shape)} over ${runs.length} runs; the table below holds the values`);
  }

  function latestChart(canvas) {
    const shapes = m.shapes();
    const controls = m.paths().filter(p => p.control && m.chosen(p.name) && m.find(p.name, shapes[0])?.shape !== 'any')
      .map(p => p.name);
    const datasets = [...m.shownPaths(), ...controls].map(path => {
      const series = shapes.map(shape => m.find(path, shape));
      const points = series.map(m.latest);
      const {color, dash} = look(path);
      const dataset = {label: path, data: points.map(p => p?.us?.median ?? null), describe: i => describePoint(series[i], points[i])};
      // Peers and floors are levels to be held against, so they are lines across the bars of a shape.
      if (controls.includes(path)) {
        return {...dataset, type: 'line', showLine: false, pointStyle: 'line', pointRadius: 42, pointHoverRadius: 42,
                pointBorderWidth: 2, borderDash: dash, borderColor: color, pointBorderColor: color, order: 0};
      }
      return {...dataset, whiskers: points.map(p => p?.us && [p.us.low, p.us.high]), backgroundColor: color,
              borderColor: m.color('--text'), borderRadius: 2, maxBarThickness: 28, order: 1};
    }).filter(dataset => dataset.data.some(value => value !== null));
    draw(canvas, {type: 'bar', data: {labels: shapes.map(m.shapeText), datasets}, options: options('µs'), plugins: [whiskers]},
         'Newest latency of every path and shape; the table below holds the values');
  }

  function clear() {
    drawn.splice(0).forEach(chart => chart.destroy());
    document.getElementById('tooltip').hidden = true;
  }

  Object.assign(m, {look, clearCharts: clear, historyChart, latestChart});
})();
