/** The built entry `@tiding/elements/react`: a component for each element, on a server as well. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement, type FunctionComponent } from 'react';
import { renderToString } from 'react-dom/server';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';

const dist = join(root, 'elements/dist');
type Component = FunctionComponent<Record<string, unknown>>;

describe.skipIf(!existsSync(join(root, 'dist/.stamp')))('the built React entry', async () => {
  const entry = join(dist, 'react.js');
  const module = existsSync(entry)
    ? ((await import(entry)) as Record<string, Component>)
    : ({} as Record<string, Component>);
  const { Paragraph, Profile, TidingProvider } = module as Record<string, Component>;

  it('has a documented component for every element', () => {
    const { modules } = JSON.parse(readFileSync(join(dist, 'custom-elements.json'), 'utf8')) as {
      modules: { declarations: { tagName?: string; description: string }[] }[];
    };
    const tags = modules
      .flatMap(({ declarations }) => declarations)
      .filter(({ tagName }) => tagName !== undefined);
    expect(tags.length).toBeGreaterThan(50);
    const declared = readFileSync(join(dist, 'types/components.d.ts'), 'utf8');
    for (const { tagName, description } of tags) {
      const name = tagName!.replace(/^tiding|-(\w)/g, (_, letter?: string) =>
        (letter ?? '').toUpperCase(),
      );
      expect(module[name]?.displayName, name).toBe(tagName);
      expect(declared).toContain(
        `/** ${description} */\nexport declare const ${name}: TidingComponent<'${tagName}'>;`,
      );
    }
  });

  it('is a client module, whose exports have names', () => {
    const code = readFileSync(entry, 'utf8');
    expect(code).toMatch(/^["']use client["'];/);
    // Next.js can't find the exports behind it in a client module.
    expect(code).not.toMatch(/export \*/);
  });

  it('renders tags and children on a server, without what only the browser can set', () => {
    const page = createElement(
      TidingProvider!,
      { server: 'https://notes.example.org', fetchToken: () => 'secret', theme: 'dark' },
      createElement(
        Paragraph!,
        { className: 'sales', note: '2XAB9NJRE', onTidingReady: () => {} },
        'Loading',
      ),
      createElement(Profile!, { data: { rowCount: 3 } }),
    );
    expect(renderToString(page)).toBe(
      '<tiding-paragraph theme="dark" class="sales">Loading</tiding-paragraph>' +
        '<tiding-profile theme="dark"></tiding-profile>',
    );
  });

  it('adds one element, and no second React, to a bundle with one component', async () => {
    const bundle = await rolldown({
      input: 'host',
      plugins: [
        {
          name: 'host',
          resolveId: (id) => (id === 'host' ? join(root, 'host.js') : null),
          load: (id) =>
            id === join(root, 'host.js')
              ? "import { Profile } from '@tiding/elements/react'; console.log(Profile);"
              : null,
        },
      ],
      platform: 'browser',
      logLevel: 'silent',
      resolve: { conditionNames: ['browser', 'import', 'default'] },
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    });
    const { output } = await bundle.generate({ format: 'es' });
    await bundle.close();
    const chunks = output.filter((each) => each.type === 'chunk');
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
    const matching = (pattern: RegExp) => modules.filter((path) => pattern.test(path));
    expect(matching(/elements\/dist\/tags\//)).toEqual([join(dist, 'tags/profile.js')]);
    expect(matching(/\/react\/cjs\/react\.production\.js$/)).toHaveLength(1);
    // Before the element: neither its code nor that of the client.
    const early = new Set(chunks.filter(({ isEntry }) => isEntry));
    for (const { imports } of early)
      for (const chunk of chunks) if (imports.includes(chunk.fileName)) early.add(chunk);
    expect(
      [...early].flatMap(({ moduleIds }) =>
        moduleIds.filter((path) => /client\/dist|dist\/tags/.test(path)),
      ),
    ).toEqual([]);
  });
});
