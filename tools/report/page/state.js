// What is being looked at. It lives in the URL after '#', so that a link shows the same view to someone else.
'use strict';
(() => {
  const defaults = () => ({device: '', cache: 'cold', launch: 'graph', paths: null, shape: '', published: false,
                           theme: 'auto'});
  const state = defaults();

  function toHash(changes = {}) {
    const view = {...state, ...changes};
    const query = new URLSearchParams();
    if (view.device) query.set('device', view.device);
    query.set('cache', view.cache);
    query.set('launch', view.launch);
    if (view.paths) query.set('paths', view.paths.join('.'));
    if (view.shape) query.set('shape', view.shape);
    if (view.published) query.set('published', '1');
    if (view.theme !== 'auto') query.set('theme', view.theme);
    return `#${query}`;
  }

  /** Takes over what the hash says; unknown values fall back to the defaults. */
  function fromHash(hash) {
    Object.assign(state, defaults());
    const query = new URLSearchParams(hash.replace(/^#/, ''));
    const devices = window.mxproofData.devices.map(device => device.name);
    const newest = window.mxproofData.runs.at(-1);
    const measured = window.mxproofData.runs.filter(run => !window.mxproofData.devices[run.device].emulated).at(-1);
    state.device = devices.includes(query.get('device')) ? query.get('device') : devices[(measured || newest).device];
    if (query.get('cache') === 'hot') state.cache = 'hot';
    if (['eager', 'host'].includes(query.get('launch'))) state.launch = query.get('launch');
    if (query.has('paths')) state.paths = query.get('paths').split('.').filter(Boolean);
    state.shape = query.get('shape') || '';
    state.published = query.get('published') === '1';
    if (['light', 'dark'].includes(query.get('theme'))) state.theme = query.get('theme');
  }

  /** Changes the view, and the address with it. */
  function change(changes) {
    Object.assign(state, changes);
    history.replaceState(null, '', toHash());
    window.mxproof.render();
  }

  Object.assign(window.mxproof, {state, toHash, fromHash, change});
})();
