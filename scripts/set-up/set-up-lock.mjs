// One set-up at a time in this folder. The lock is one of the kernel's, held by a small process of
// ours (lock-holder.mjs) for as long as we live: no file with a stale pid, nothing to clean up
// after a crash. It is taken only when there is work, so a start with nothing to do costs nothing.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { StepFailed } from '../lib/steps.mjs'

/**
 * Does the work while no other command does. The work must check again whether it is still needed:
 * another command may have done it meanwhile.
 *
 * @template T
 * @param {import('../lib/processes.mjs').Node} node
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(node, work) {
  mkdirSync(stampFolder, { recursive: true })
  // Not one of the children that signals are passed to: the lock outlives the work under it.
  const holder = spawn(
    node.path,
    [
      '--no-warnings',
      inRoot('scripts', 'set-up', 'lock-holder.mjs'),
      path.join(stampFolder, 'set-up.lock'),
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  )
  const gone = once(holder, 'exit')
  const held = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    gone.then(() => false),
  ])
  if (!held) throw new StepFailed('The set-up lock could not be taken.')
  try {
    return await work()
  } finally {
    holder.stdin.end()
    await gone
  }
}
