// `npm run docs`: the pages of the documentation as a static site with a search, in build/docs. VitePress is installed
// by this command alone, in tools/docs. A link that leads nowhere fails the build. Started by the Node that the project
// brings: an older one can't do all of it.

import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findNpm } from '../set-up/find-npm.mjs'
import { inRoot, root } from '../lib/places.mjs'
import { exitCodeOf, mustRun } from '../lib/processes.mjs'
import { step } from '../lib/steps.mjs'

const home = inRoot('tools', 'docs')
const source = path.join(home, 'source')

/** @param {import('../lib/processes.mjs').Node} node */
async function buildDocsSite(node) {
  await step('site packages', async (say) => say(await install(node)))
  await step('site', async (say) => {
    try {
      const pages = copyPages()
      await mustRun('The build of the site', {
        node,
        args: [path.join(home, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', home],
        cwd: home,
      })
      say(`${pages} pages in ${path.join('build', 'docs')}`)
    } finally {
      rmSync(source, { recursive: true, force: true })
    }
  })
  return 0
}

/** @param {import('../lib/processes.mjs').Node} node */
async function install(node) {
  const lock = path.join(home, 'package-lock.json')
  const installed = path.join(home, 'node_modules', '.installed-lock.json')
  const isFresh = existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))
  if (isFresh) return 'up to date'
  await mustRun('npm ci for the site', {
    node,
    args: [findNpm(), 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    cwd: home,
  })
  cpSync(lock, installed)
  return 'installed'
}

/** Pages link to each other and to pictures by their places in the repository, so they keep them. */
function copyPages() {
  rmSync(source, { recursive: true, force: true })
  const files = globSync(
    ['*.md', 'docs/**/*.{md,png,json}', 'deploy/**/*.md', 'packages/*/README.md'],
    {
      cwd: root,
      // The site is in English.
      exclude: (file) => file.includes('node_modules') || file === path.join('docs', 'ar'),
    },
  )
  for (const file of files) {
    mkdirSync(path.dirname(path.join(source, file)), { recursive: true })
    cpSync(inRoot(file), path.join(source, file))
  }
  // What pages offer to copy is served as it is.
  for (const folder of ['docs/samples', 'docs/authorities/samples'])
    cpSync(inRoot(folder), path.join(source, 'public', folder), { recursive: true })
  return files.filter((file) => file.endsWith('.md')).length
}

const node = { path: process.execPath, version: process.version, env: process.env }
process.exitCode = await buildDocsSite(node).catch(exitCodeOf)
