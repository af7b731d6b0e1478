// The error map: bins of outputs as an SVG that is complete without this script, which adds a cursor (pointer
// or arrow keys) and reads out what lies under it.
//
// data.map = {rows, cols: of bins; binRows, binCols: outputs a bin; height, width: outputs; classes: names;
//             counts: per bin, per class, flat; cells: {"row,col": "text"} for the first wrong outputs}
(() => {
  const {map} = JSON.parse(document.getElementById('data').textContent);
  const host = document.querySelector('.error-map');
  const svg = host.querySelector('svg');
  const info = document.getElementById('info');
  const cursor = svg.querySelector('.cursor');
  let row = 0, col = 0;

  const span = (first, size, end) => {
    const last = Math.min(first + size, end) - 1;
    return first === last ? `${first}` : `${first}..${last}`;
  };
  const show = () => {
    cursor.setAttribute('x', col);
    cursor.setAttribute('y', row);
    cursor.setAttribute('visibility', 'visible');
    const bin = row * map.cols + col;
    const parts = map.classes.map((name, c) => [name, map.counts[bin * map.classes.length + c]]).filter(p => p[1] > 0);
    const r0 = row * map.binRows, c0 = col * map.binCols;
    const lines = [
      ['rows', span(r0, map.binRows, map.height)],
      ['columns', span(c0, map.binCols, map.width)],
      ...parts,
    ];
    for (let r = r0; r < Math.min(r0 + map.binRows, map.height); ++r) {
      for (let c = c0; c < Math.min(c0 + map.binCols, map.width); ++c) {
        const cell = map.cells[`${r},${c}`];
        if (cell && lines.length < 8) lines.push([`(${r},${c})`, cell]);
      }
    }
    const list = document.createElement('dl');
    for (const [name, value] of lines) {
      const item = document.createElement('div');
      const term = document.createElement('dt');
      const text = document.createElement('dd');
      term.textContent = name;
      text.textContent = value;
      item.append(term, text);
      list.append(item);
    }
    info.replaceChildren(list);
  };
  svg.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    row = Math.max(0, Math.min(map.rows - 1, Math.floor((event.clientY - box.top) / box.height * map.rows)));
    col = Math.max(0, Math.min(map.cols - 1, Math.floor((event.clientX - box.left) / box.width * map.cols)));
    show();
  });
  svg.addEventListener('keydown', event => {
    const step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
    if (!step) return;
    event.preventDefault();
    row = Math.max(0, Math.min(map.rows - 1, row + step[0]));
    col = Math.max(0, Math.min(map.cols - 1, col + step[1]));
    show();
  });
  show();
  document.documentElement.dataset.ready = 'yes';
})();
