// Step 2: node_modules as the lock says, by `npm ci`, when the lock or a package.json has changed.

import { workspaceFolders } from './workspaces.mjs'
import { findNpm } from './find-npm.mjs'
import { fingerprint, isFresh, removeStamp, writeStamp } from './fingerprint.mjs'
import { inRoot } from './places.mjs'
import { mustRun } from './processes.mjs'
import { inTurn } from './set-up-lock.mjs'
import { step } from './steps.mjs'

// Inside node_modules, so that who removes that folder removes the claim that it is complete.
const stamp = inRoot('node_modules', '.gatehouse-stamp')

/** @param {import('./processes.mjs').Node} node */
export async function ensureDependencies(node) {
  await step('dependencies', async () => {
    const wanted = dependencyPrint()
    if (isFresh(stamp, wanted)) return 'up to date'
    return inTurn(node, async () => {
      if (isFresh(stamp, wanted)) return 'installed by another command'
      removeStamp(stamp)
      await mustRun('npm ci', {
        node,
        args: [findNpm(), 'ci', '--include=dev', '--loglevel=notice'],
      })
      writeStamp(stamp, wanted)
      return 'installed'
    })
  })
}

function dependencyPrint() {
  const manifests = workspaceFolders().map((folder) => `${folder}/package.json`)
  // Packages with binaries differ by platform: a copied folder is stale on another one.
  return fingerprint(
    ['package.json', 'package-lock.json', '.npmrc', ...manifests],
    [process.platform, process.arch],
  )
}
