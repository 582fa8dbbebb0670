// Step 2: node_modules as the lock says, by `npm ci`, when the lock or a package.json has changed.

import { workspaceFolders } from './workspaces.mjs'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { findNpm } from './find-npm.mjs'
import { fingerprint, isFresh, removeStamp, writeStamp } from './fingerprint.mjs'
import { isInstalledByHand } from './installed-by-hand.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { mustRun } from '../lib/processes.mjs'
import { inTurn } from './set-up-lock.mjs'
import { step } from '../lib/steps.mjs'

// Inside node_modules, so that the claim that it is complete is removed with the folder.
const stamp = inRoot('node_modules', '.gatehouse-stamp')

// Exists while an install of ours runs, and after one that was interrupted.
const unfinished = path.join(stampFolder, 'installing')

/** @param {import('../lib/processes.mjs').Node} node */
export async function ensureDependencies(node) {
  await step('dependencies', async (say) => {
    const wanted = dependencyPrint()
    if (isFresh(stamp, wanted)) return say('up to date')
    return inTurn(node, async () => {
      if (isFresh(stamp, wanted)) return say('installed by another command')
      if (!existsSync(unfinished) && isInstalledByHand(workspaceFolders())) {
        writeStamp(stamp, wanted)
        return say('up to date, installed by hand')
      }
      removeStamp(stamp)
      writeStamp(unfinished, '')
      await mustRun('npm ci', {
        node,
        args: [findNpm(), 'ci', '--include=dev', '--loglevel=notice'],
      })
      writeStamp(stamp, wanted)
      removeStamp(unfinished)
      say('installed')
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
