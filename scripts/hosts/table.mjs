/**
 * The hosts, in the order in which they run.
 *
 * - `versions`: packages whose versions the table prints,
 * - `wrong`: a change of a source that must fail the type check, with the text `error`,
 * - `pages`: folder of the built page; `starts`: the page is served by `npm start`; a host with
 *   neither is a program that `npm start` runs,
 * - `prints`: the page shows what a program prints, which a worker has sent it,
 * - `hasTrustedTypes`: the page requires them, `hasOwnPolicy`: it has a policy of its own,
 * - `hasWorker: false`: the work of workers is done by the page, for the reason given,
 * - `develops`: `npm run dev` shows the same page,
 * - `snapshot`: path of a page that contains a snapshot,
 * - `template`: the project is not in `test/hosts`; the packed `create-tiding` writes it from this
 *   template.
 */
const wrongLook = (file) => ({
  file,
  from: 'look="embed"',
  to: 'look="large"',
  error: /large/,
});
const wrongValue = { file: 'src/main.ts', from: "'embed'", to: "'large'", error: /large/ };
const wrongCall = (file) => ({
  file,
  from: 'timeout: 60_000',
  to: "timeout: 'long'",
  error: /string/,
});

const projects = {
  'vite-react': {
    about: 'React components, Trusted Types',
    versions: ['vite', 'react', 'typescript'],
    pages: 'dist',
    hasTrustedTypes: true,
    wrong: wrongLook('src/App.tsx'),
  },
  html: {
    about: 'script tag, strict policy, Trusted Types; no types to check',
    versions: [],
    pages: '.',
    hasOwnPolicy: true,
    // The script is of another origin, of which browsers start no worker.
    hasWorker: false,
  },
  next: {
    about: 'App Router, React components rendered on the server, snapshot, token endpoint',
    versions: ['next', 'react', 'typescript'],
    starts: true,
    snapshot: '/weather',
    wrong: wrongLook('app/sales-report.tsx'),
  },
  'vite-vue': {
    about: 'tags in a single-file component',
    versions: ['vite', 'vue', 'vue-tsc'],
    pages: 'dist',
    wrong: wrongLook('src/App.vue'),
  },
  'vite-svelte': {
    about: 'tags in a component',
    versions: ['vite', 'svelte', 'svelte-check'],
    pages: 'dist',
    wrong: wrongLook('src/App.svelte'),
  },
  'vite-solid': {
    about: 'tags in JSX',
    versions: ['vite', 'solid-js', 'typescript'],
    pages: 'dist',
    wrong: wrongLook('src/App.tsx'),
  },
  astro: {
    about: 'tags in a page, script bundled by Astro',
    versions: ['astro', 'typescript'],
    pages: 'dist',
    wrong: wrongValue,
  },
  angular: {
    about: 'directives in a template',
    versions: ['@angular/core', '@angular/cli', 'typescript'],
    pages: 'dist/browser',
    // It doesn't bundle the workers of packages.
    hasWorker: false,
    wrong: wrongLook('src/app.ts'),
  },
  webpack: {
    about: 'TypeScript without a framework',
    versions: ['webpack', 'ts-loader', 'typescript'],
    pages: 'public',
    wrong: wrongValue,
  },
  rollup: {
    about: 'TypeScript without a framework',
    versions: ['rollup', '@surma/rollup-plugin-off-main-thread', 'typescript'],
    pages: 'public',
    wrong: wrongValue,
  },
  esbuild: {
    about: 'TypeScript without a framework',
    versions: ['esbuild', 'typescript'],
    pages: 'public',
    // It doesn't bundle the files of workers.
    hasWorker: false,
    wrong: wrongValue,
  },
  'node-esm': {
    about: 'client in an ES module',
    versions: ['typescript'],
    wrong: wrongCall('src/report.ts'),
  },
  'node-commonjs': {
    about: 'client in a CommonJS module',
    versions: ['typescript'],
    wrong: wrongCall('src/report.ts'),
  },
  bun: {
    about: 'client in a TypeScript module',
    versions: ['bun', 'typescript'],
    wrong: wrongCall('src/report.ts'),
  },
  'bun-page': {
    about: 'TypeScript without a framework',
    versions: ['bun', 'typescript'],
    pages: 'public',
    // It doesn't bundle the files of workers.
    hasWorker: false,
    wrong: wrongValue,
  },
  deno: {
    about: 'client in a TypeScript module',
    versions: ['deno'],
    wrong: wrongCall('src/report.ts'),
  },
  'web-worker': {
    about: 'client in a worker, bundled by Vite',
    versions: ['vite', 'typescript'],
    pages: 'dist',
    prints: true,
    wrong: wrongCall('src/worker/report.ts'),
  },
  'webpack-worker': {
    about: 'client in a worker, bundled by webpack',
    versions: ['webpack', 'ts-loader', 'typescript'],
    pages: 'public',
    prints: true,
    wrong: wrongCall('src/worker/report.ts'),
  },
};

const starters = {
  'starter-vanilla': {
    about: 'script tag, token from the Vite server',
    template: 'vanilla',
    versions: ['vite', 'typescript'],
    starts: true,
    develops: true,
    wrong: { file: 'src/main.ts', from: 'detail.status', to: 'detail.state', error: /state/ },
  },
  'starter-react': {
    about: 'components, token from the Vite server',
    template: 'react',
    versions: ['vite', 'react', 'typescript'],
    starts: true,
    develops: true,
    wrong: wrongLook('src/App.tsx'),
  },
  'starter-vue': {
    about: 'tag in a single-file component, token from the Vite server',
    template: 'vue',
    versions: ['vite', 'vue', 'vue-tsc'],
    starts: true,
    develops: true,
    wrong: wrongLook('src/App.vue'),
  },
  'starter-next': {
    about: 'App Router, snapshot that becomes live, token endpoint',
    template: 'next',
    versions: ['next', 'react', 'typescript'],
    starts: true,
    develops: true,
    snapshot: '/',
    wrong: {
      file: 'app/live-paragraph.tsx',
      from: 'detail.status',
      to: 'detail.state',
      error: /state/,
    },
  },
  'starter-portal': {
    about: 'Node server with tokens, several elements, strict policy',
    template: 'portal',
    versions: ['typescript'],
    starts: true,
    wrong: { file: 'src/server.ts', from: "scope: 'run'", to: "scope: 'all'", error: /all/ },
  },
  'starter-report': {
    about: 'program that writes HTML and CSV',
    template: 'report',
    versions: ['typescript'],
    wrong: {
      file: 'src/report.ts',
      from: 'timeout: LIMIT_MS',
      to: "timeout: 'long'",
      error: /string/,
    },
  },
};

export const hosts = { ...projects, ...starters };
