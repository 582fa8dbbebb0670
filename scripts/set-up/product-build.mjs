// The product as `npm run build` leaves it, for journeys, when its sources have changed: it starts with a third of
// the CPU time that the sources take.

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fingerprint, isFresh, removeStamp, sourcesBelow, writeStamp } from './fingerprint.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { mustRun } from '../lib/processes.mjs'
import { inTurn } from './set-up-lock.mjs'
import { step } from '../lib/steps.mjs'

const built = path.join(stampFolder, 'product')
const stamp = path.join(stampFolder, 'product-stamp')
const fresh = path.join(stampFolder, 'product-new')
const old = path.join(stampFolder, 'product-old')

/**
 * The folder with the product as it is now. The dashboard must be built.
 *
 * @param {import('../lib/processes.mjs').Node} node
 */
export async function ensureProduct(node) {
  await step('product', async (say) => {
    if (isBuilt(productPrint())) return say('up to date')
    return inTurn(node, async () => {
      const wanted = productPrint()
      if (isBuilt(wanted)) return say('built by another command')
      removeStamp(stamp)
      await build(node)
      writeStamp(stamp, wanted)
      say('built')
    })
  })
  return built
}

/** Builds elsewhere and swaps: a build that fails leaves the last good one. @param {import('../lib/processes.mjs').Node} node */
async function build(node) {
  const args = [inRoot('scripts', 'build', 'main.mjs'), '--into', fresh]
  await mustRun('The build of the product', { node, args })
  await rm(old, { recursive: true, force: true })
  if (existsSync(built)) await rename(built, old)
  await rename(fresh, built)
  await rm(old, { recursive: true, force: true })
}

/** @param {string} wanted */
const isBuilt = (wanted) => existsSync(path.join(built, 'server.mjs')) && isFresh(stamp, wanted)

const productPrint = () =>
  fingerprint([
    'package-lock.json',
    'package.json',
    // What the dashboard was built from.
    path.join('.stamps', 'dashboard'),
    ...['apps/server', 'apps/gateway', 'apps/standalone', 'packages', 'scripts/build'].flatMap(
      sourcesBelow,
    ),
  ])
