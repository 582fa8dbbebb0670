// Step 3: the dashboard as the browser loads it, by `vite build`, when its sources have changed.

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fingerprint, isFresh, removeStamp, sourcesBelow, writeStamp } from './fingerprint.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { mustRun } from '../lib/processes.mjs'
import { inTurn } from './set-up-lock.mjs'
import { step } from '../lib/steps.mjs'
import { toolPath } from '../lib/tool-path.mjs'

const built = inRoot('apps', 'dashboard', 'dist')
const stamp = path.join(stampFolder, 'dashboard')
const fresh = path.join(stampFolder, 'dashboard-new')
const old = path.join(stampFolder, 'dashboard-old')

/** @param {import('../lib/processes.mjs').Node} node */
export async function ensureDashboard(node) {
  await step('dashboard', async (say) => {
    if (isBuilt(dashboardPrint())) return say('up to date')
    return inTurn(node, async () => {
      const wanted = dashboardPrint()
      if (isBuilt(wanted)) return say('built by another command')
      removeStamp(stamp)
      await build(node)
      writeStamp(stamp, wanted)
      say('built')
    })
  })
}

/**
 * Builds elsewhere and swaps: a build that fails leaves the last good one, and a server that runs
 * from it meanwhile never sees half of one.
 *
 * @param {import('../lib/processes.mjs').Node} node
 */
async function build(node) {
  await mustRun('The build of the dashboard', {
    node,
    args: [toolPath('vite'), 'build', 'apps/dashboard', '--outDir', fresh, '--emptyOutDir'],
  })
  await rm(old, { recursive: true, force: true })
  if (existsSync(built)) await rename(built, old)
  await rename(fresh, built)
  await rm(old, { recursive: true, force: true })
}

/** @param {string} wanted */
function isBuilt(wanted) {
  return existsSync(path.join(built, 'index.html')) && isFresh(stamp, wanted)
}

function dashboardPrint() {
  return fingerprint([
    'package-lock.json',
    'tsconfig.json',
    ...sourcesBelow('apps/dashboard'),
    ...sourcesBelow('packages/contract'),
  ])
}
