// The product as `npm run build` leaves it, when its sources have changed: `npm start` and the journeys run it. It
// starts with 0.6 times the CPU time that the sources take.

import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fingerprint, sourcesBelow } from './fingerprint.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { mustRun } from '../lib/processes.mjs'
import { inTurn } from './set-up-lock.mjs'
import { step } from '../lib/steps.mjs'

const products = path.join(stampFolder, 'products')
const fresh = path.join(products, 'new')

/**
 * The folder with the product as it is now. The dashboard must be built.
 *
 * @param {import('../lib/processes.mjs').Node} node
 */
export async function ensureProduct(node) {
  return step('product', async (say) => {
    const built = folderNow()
    if (isBuilt(built)) say('up to date')
    else {
      await inTurn(node, async () => {
        if (isBuilt(built)) return say('built by another command')
        await build(node, built)
        say('built')
      })
    }
    const now = new Date()
    utimesSync(built, now, now)
    return built
  })
}

/**
 * Each state of the sources has a folder of its own, so that a server which runs from the last one still finds what
 * it loads later. Those that were used before are removed.
 *
 * @param {import('../lib/processes.mjs').Node} node
 * @param {string} built
 */
async function build(node, built) {
  const args = [inRoot('scripts', 'build', 'main.mjs'), '--into', fresh, '--without-commit']
  await mustRun('The build of the product', { node, args })
  await rename(fresh, built)
  const usedAt = (/** @type {string} */ folder) => statSync(folder).mtimeMs
  const others = readdirSync(products)
    .map((name) => path.join(products, name))
    .filter((folder) => folder !== built)
    .sort((one, other) => usedAt(other) - usedAt(one))
  for (const folder of others.slice(1)) await rm(folder, { recursive: true, force: true })
}

/** It is renamed once it is whole. @param {string} built */
const isBuilt = (built) => existsSync(built)

function folderNow() {
  const print = fingerprint([
    'package-lock.json',
    'package.json',
    // What the dashboard was built from.
    path.join('.stamps', 'dashboard'),
    ...['apps/server', 'apps/gateway', 'apps/standalone', 'packages', 'scripts/build'].flatMap(
      sourcesBelow,
    ),
  ])
  return path.join(products, print.slice(0, 16))
}
