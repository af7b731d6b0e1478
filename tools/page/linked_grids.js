// Two grids of the same cells: where they are meant to be, and where they lie. A cell under the pointer, or
// under the cursor that the arrow keys move, is marked in both, and its coordinates are read out.
//
// data[id] = {left: {title, rows, cols, row, col}, right: {...}, map: left index -> right index,
//             hue: per left cell 0..359, label: per left cell, back: per right cell, fields: [[name, values]]}
// A value is a number or text per left cell. Right cells that no left cell maps to are padding.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const kWidth = 34, kHeight = 18, kAxis = 34;

  const svg = (name, attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const text = (x, y, content, kind) => {
    const node = svg('text', {x, y, 'text-anchor': 'middle', class: kind || ''});
    node.textContent = content;
    return node;
  };

  class Grid {
    constructor(shape, hueOf, labelOf) {
      this.shape = shape;
      this.svg = svg('svg', {
        width: kAxis + shape.cols * kWidth + 2, height: kHeight + shape.rows * kHeight + 2, tabindex: 0, role: 'application',
        'aria-label': `${shape.title}: ${shape.rows} ${shape.row}s by ${shape.cols} ${shape.col}s; arrow keys move the cursor`,
      });
      for (let c = 0; c < shape.cols; ++c) this.svg.append(text(kAxis + (c + .5) * kWidth, 12, c, 'axis'));
      for (let r = 0; r < shape.rows; ++r) this.svg.append(text(kAxis / 2, kHeight + r * kHeight + 13, r, 'axis'));
      for (let i = 0; i < shape.rows * shape.cols; ++i) {
        const [x, y] = this.position(i);
        const hue = hueOf(i);
        this.svg.append(svg('rect', {x, y, width: kWidth, height: kHeight, class: hue < 0 ? 'cell padding' : 'cell',
                                     style: hue < 0 ? '' : `--hue:${hue}`, 'data-cell': i}));
        const label = labelOf(i);
        if (label !== '') this.svg.append(text(x + kWidth / 2, y + 13, label));
      }
      this.cursor = svg('rect', {width: kWidth, height: kHeight, class: 'cursor', visibility: 'hidden'});
      this.svg.append(this.cursor);
    }
    position(i) {
      return [kAxis + i % this.shape.cols * kWidth, kHeight + Math.floor(i / this.shape.cols) * kHeight];
    }
    mark(i, scroll) {
      this.cursor.setAttribute('visibility', i < 0 ? 'hidden' : 'visible');
      if (i < 0) return;
      const [x, y] = this.position(i);
      this.cursor.setAttribute('x', x);
      this.cursor.setAttribute('y', y);
      if (!scroll) return;
      const box = this.svg.parentElement;
      if (x < box.scrollLeft || x + kWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = x - box.clientWidth / 2;
      if (y < box.scrollTop || y + kHeight > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 2;
    }
    moved(i, key) {
      const {rows, cols} = this.shape;
      const r = Math.floor(i / cols), c = i % cols;
      if (key === 'ArrowRight') return r * cols + Math.min(c + 1, cols - 1);
      if (key === 'ArrowLeft') return r * cols + Math.max(c - 1, 0);
      if (key === 'ArrowDown') return Math.min(r + 1, rows - 1) * cols + c;
      if (key === 'ArrowUp') return Math.max(r - 1, 0) * cols + c;
      if (key === 'Home') return 0;
      if (key === 'End') return rows * cols - 1;
      return -1;
    }
  }

  for (const host of document.querySelectorAll('.linked-grids')) {
    const d = data[host.dataset.id];
    const back = new Array(d.right.rows * d.right.cols).fill(-1);
    d.map.forEach((right, left) => { if (right >= 0) back[right] = left; });
    const left = new Grid(d.left, i => d.hue[i], i => d.label[i]);
    const right = new Grid(d.right, i => back[i] < 0 ? -1 : d.hue[back[i]], i => back[i] < 0 ? '' : d.back[i]);

    const info = document.createElement('div');
    info.className = 'info card';
    info.setAttribute('aria-live', 'polite');
    const panels = document.createElement('div');
    panels.className = 'panels';
    for (const grid of [left, right]) {
      const card = document.createElement('section');
      card.className = 'card';
      const title = document.createElement('h3');
      title.textContent = grid.shape.title;
      const scroll = document.createElement('div');
      scroll.className = 'scroll';
      scroll.append(grid.svg);
      card.append(title, scroll);
      panels.append(card);
    }
    host.append(info, panels);

    let current = 0;
    const show = (cell, from) => {
      current = cell;
      left.mark(cell, from !== left);
      right.mark(d.map[cell], from !== right);
      const list = document.createElement('dl');
      for (const [name, values] of d.fields) {
        const item = document.createElement('div');
        const term = document.createElement('dt');
        const value = document.createElement('dd');
        term.textContent = name;
        value.textContent = values[cell];
        item.append(term, value);
        list.append(item);
      }
      info.replaceChildren(list);
    };
    const padding = i => {
      right.mark(i, false);
      left.mark(-1, false);
      info.textContent = `${d.right.row} ${Math.floor(i / d.right.cols)}, ${d.right.col} ${i % d.right.cols}: padding`;
    };
    for (const grid of [left, right]) {
      grid.svg.addEventListener('pointerover', event => {
        const cell = event.target.dataset.cell;
        if (cell === undefined) return;
        if (grid === left) show(Number(cell), left);
        else if (back[cell] >= 0) show(back[cell], right);
        else padding(Number(cell));
      });
      grid.svg.addEventListener('keydown', event => {
        const at = grid === left ? current : d.map[current];
        const next = grid.moved(at, event.key);
        if (next < 0) return;
        event.preventDefault();
        if (grid === left) show(next, null);
        else if (back[next] >= 0) show(back[next], null);
      });
    }
    show(Number(host.dataset.start || 0), left);
  }
  document.documentElement.dataset.ready = 'yes';
})();
