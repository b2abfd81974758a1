/** The sections of the home page, with pages outside groups and the first page of each group. */
import { join } from 'node:path';
import { paths, root } from '../../scripts/docs/layout.mjs';
import { readPages, sections, sidebar } from '../../scripts/docs/pages.mjs';

export default {
  watch: ['../*/*.md'],
  load() {
    const pages = readPages(join(root, paths.docs));
    return sidebar(pages).map(({ text, items }) => ({
      title: text,
      description: sections.find(({ title }) => title === text).description,
      pages: items.map((item) =>
        item.items ? { text: item.text, link: item.items[0].link } : item,
      ),
    }));
  },
};
