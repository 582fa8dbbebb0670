// A MariaDB that ends with the process that started it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inRoot } from '../lib/places.mjs'
import { foundPrograms } from '../set-up/programs.mjs'

/**
 * The server that TEST_MYSQL_URL names, which is left running, or a new one; `url` is the address of
 * an account that may do everything. Throws where MariaDB was not found or does not start.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startMariadb() {
  const given = process.env['TEST_MYSQL_URL']
  if (given) return { url: given, stop: async () => {} }
  const program = foundPrograms()['GATEHOUSE_TEST_MARIADBD']
  if (!program)
    throw new Error('MariaDB was not found: set MARIADBD_PATH to mariadbd, or TEST_MYSQL_URL.')
  const args = [
    inRoot('scripts', 'databases', 'mariadb-keeper.mjs'),
    program,
    inRoot('packages', 'upstream', 'fixtures', 'self-signed-localhost.pem'),
  ]
  // A keeper process runs the server. It kills it when our end of the pipe closes, which also happens
  // when this process is killed.
  const keeper = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
  })
  const gone = once(keeper, 'exit')
  const url = await Promise.race([
    once(createInterface({ input: keeper.stdout }), 'line').then(([line]) => String(line)),
    gone.then(() => undefined),
  ])
  if (!url) throw new Error('The throwaway MariaDB did not start.')
  return {
    url,
    stop: async () => {
      keeper.stdin.end()
      await gone
    },
  }
}
