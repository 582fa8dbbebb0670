// The static site of the documentation. `npm run docs` puts its pages into `source`, as they are in the repository.

import { readFileSync } from 'node:fs'

const read = (page) => readFileSync(new URL(`../source/${page}`, import.meta.url), 'utf8')

/** The index of the pages by reader is the menu: a heading is a group, an item a page. */
function menuOf(index) {
  const groups = []
  for (const line of index.split('\n')) {
    const [, group] = /^## (.+)/.exec(line) ?? []
    const [, text, page] = /^\d+\. \[(.+?)\]\((.+?)\.md\)/.exec(line) ?? []
    if (group) groups.push({ text: group, collapsed: groups.length > 1, items: [] })
    else if (text) groups.at(-1)?.items.push({ text, link: `/docs/${page.replace(/README$/, '')}` })
  }
  return groups
}

export default {
  title: 'Gatehouse',
  description: 'Admin dashboard and gateway that connect ERP and POS systems to tax authorities',
  srcDir: 'source',
  outDir: '../../build/docs',
  cacheDir: '../../.stamps/docs-cache',
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  cleanUrls: false,
  lastUpdated: false,
  // Sources that pages name are in the repository, and not on the site.
  ignoreDeadLinks: [
    /\.(ts|tsx|mjs|json|php|xml|yaml|yml|service)$/,
    /\/LICENSE$/,
    /^https?:\/\/localhost/,
    /^(?:\.{1,2}\/)+(?:packages|apps|deploy|e2e)\//,
  ],
  // Pages have placeholders in two braces, which are text.
  vue: { template: { compilerOptions: { delimiters: ['<%vue', 'vue%>'] } } },
  markdown: { theme: { light: 'github-light', dark: 'github-dark' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'All pages', link: '/docs/' },
      { text: 'Errors', link: '/docs/errors' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: menuOf(read('docs/README.md')),
  },
}
