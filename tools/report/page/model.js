// Questions to the data about the current view.
'use strict';
(() => {
  const data = window.mxproofData;
  const {state} = window.mxproof;
  const controlKinds = ['peer', 'floor'];
  const benchmarkShapes = [...new Set(data.published.map(figure => figure.shape))];
  const shortCommit = run => run.commit.slice(0, 7) + (run.dirty ? '+' : '');
  const isControl = series => controlKinds.includes(series.kind);
  const passed = verdict => ['bit-equal', 'within-bound', 'no-output'].includes(verdict);

  const deviceIndex = () => data.devices.findIndex(device => device.name === state.device);
  const isEmulated = () => data.devices[deviceIndex()].emulated;
  const ofDevice = () => data.series.filter(series => series.device === deviceIndex());
  const runsOfDevice = () => data.runs.map((run, index) => ({...run, index})).filter(run => run.device === deviceIndex());

  /** Paths by name: routes, then single kernels, then peers and floors. */
  function paths() {
    const all = new Map();
    const place = kind => kind === 'kernel' ? 1 : controlKinds.includes(kind) ? 2 : 0;
    for (const series of ofDevice()) {
      if (!all.has(series.path)) all.set(series.path, {name: series.path, control: isControl(series), place: place(series.kind)});
    }
    return [...all.values()].sort((a, b) => a.place - b.place || a.name.localeCompare(b.name, 'en'));
  }
  const ourPaths = () => paths().filter(path => !path.control).map(path => path.name);
  /** Unless the view says otherwise, all but the single kernels. */
  const chosen = name => state.paths ? state.paths.includes(name) : paths().find(path => path.name === name)?.place !== 1;
  const shownPaths = () => ourPaths().filter(chosen);

  /** The shapes of the benchmark first, then all others by size. */
  function shapes() {
    const all = new Map(ofDevice().filter(series => series.shape !== 'any').map(series => [series.shape, series]));
    const size = name => all.get(name).m * all.get(name).n * all.get(name).k;
    const others = [...all.keys()].filter(name => !benchmarkShapes.includes(name)).sort((a, b) => size(a) - size(b));
    return [...benchmarkShapes.filter(name => all.has(name)), ...others];
  }

  /** The series of a path and shape in the chosen cache and launch mode (or another launch mode). */
  const find = (path, shape, launch = state.launch) => ofDevice().find(series =>
    series.path === path && (series.shape === shape || series.shape === 'any') &&
    (series.shape === 'any' || series.cache === state.cache) && series.launch === launch);
  const latest = series => series && series.points.at(-1);
  const latestTime = series => latest(series)?.us?.median;
  const pointAt = (series, run) => series && series.points.find(point => point.run === run);

  const geomean = values => values.length && values.every(value => value > 0)
    ? Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length) : undefined;
  /** Over the benchmark shapes; nothing unless every one of them has a time. */
  const geomeanOf = time => geomean(benchmarkShapes.map(time));
  const publishedSeries = () => [...new Set(data.published.map(figure => figure.series))];
  const published = (series, shape) =>
    data.published.find(figure => figure.series === series && figure.shape === shape)?.us;

  /** What needs a look among the newest points of the device: slower, lost, failed. */
  function attention() {
    const found = [];
    for (const series of ofDevice()) {
      const point = latest(series);
      const outcome = point.change?.outcome;
      if (outcome === 'slower' || outcome === 'lost' || !(passed(point.verdict) || point.verdict === 'refused')) {
        found.push({series, point});
      }
    }
    return found;
  }

  Object.assign(window.mxproof, {data, benchmarkShapes, shortCommit, isControl, passed, isEmulated, ofDevice, runsOfDevice,
    paths, ourPaths, shownPaths, chosen, shapes, find, latest, latestTime, pointAt, geomeanOf, publishedSeries, published,
    attention});
})();
