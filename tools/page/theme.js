// The system's theme unless the reader chose another.
(() => {
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.getElementById('theme').addEventListener('click', () => { root.dataset.theme = dark() ? 'light' : 'dark'; });
})();
