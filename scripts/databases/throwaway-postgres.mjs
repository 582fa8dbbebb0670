// A PostgreSQL that ends with the process that started it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inRoot } from '../lib/places.mjs'
import { foundPrograms } from '../set-up/programs.mjs'

/**
 * Starts one; `url` is a superuser's address. Throws where PostgreSQL was not found or does not start.
 *
 * @param {{ isDurable?: boolean, folder?: string }} [options] `isDurable`: each commit waits for the disk,
 *   which tests do not need and measurements do; `folder`: where a durable one is kept, and found again
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPostgres({ isDurable = false, folder } = {}) {
  const bin = foundPrograms()['GATEHOUSE_TEST_POSTGRES_BIN']
  if (!bin)
    throw new Error(
      'PostgreSQL was not found: set POSTGRES_BIN to the folder of initdb and postgres.',
    )
  // A keeper process runs the server. It stops it when our end of the pipe closes, which also happens
  // when this process is killed.
  const script = inRoot('scripts', 'databases', 'postgres-keeper.mjs')
  const options = isDurable ? ['durable', ...(folder === undefined ? [] : [folder])] : []
  const keeper = spawn(process.execPath, [script, bin, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
  })
  const gone = once(keeper, 'exit')
  const url = await Promise.race([
    once(createInterface({ input: keeper.stdout }), 'line').then(([line]) => String(line)),
    gone.then(() => undefined),
  ])
  if (!url) throw new Error('The throwaway PostgreSQL did not start.')
  return {
    url,
    stop: async () => {
      keeper.stdin.end()
      await gone
    },
  }
}
