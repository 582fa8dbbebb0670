// Starts a throwaway PostgreSQL in a temporary folder, prints its address, and stops and deletes it
// when standard input ends. The folder is in memory if there is room. Listens on a socket in that folder
// only: no port, no password, no other account. Durability is off, since nothing in it outlives the
// tests, unless `durable` asks for it. A folder that is named is kept, and used again by the next start.
//
//   node scripts/databases/postgres-keeper.mjs <folder of initdb and postgres> [durable [folder]]

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { memoryFolder } from './memory-folder.mjs'
import { serverAccount } from './server-account.mjs'

const bin = process.argv[2] ?? ''
const durability = process.argv[3] === 'durable' ? 'on' : 'off'
const kept = process.argv[4]
/** For tests alone; measurements get what an installation has. */
const atRest = {
  // On, as the product asks for, but at rest.
  autovacuum_naptime: '20d',
  jit: 'off',
  shared_buffers: '64MB',
  // Its log is in memory too, and is of no use after a crash.
  max_wal_size: '128MB',
}
const place = durability === 'on' ? os.tmpdir() : memoryFolder()
const home = kept ?? mkdtempSync(path.join(place, 'gatehouse-pg-'))
const data = path.join(home, 'data')
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

process.on('exit', () => {
  if (kept !== undefined) return
  // Immediate shutdown; there is nothing to save.
  server?.kill('SIGQUIT')
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())
process.stdin.on('end', () => void stop()).resume()

const user = serverAccount()
if (!existsSync(path.join(data, 'PG_VERSION'))) initialise()
await start()
console.log(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(home)}`)

function initialise() {
  mkdirSync(data, { recursive: true })
  chmodSync(home, 0o700)
  for (const folder of [home, data]) if (user.uid && user.gid) chownSync(folder, user.uid, user.gid)
  const options = [
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  execFileSync(path.join(bin, 'initdb'), ['-D', data, ...options], {
    ...user,
    cwd: home,
    stdio: 'pipe',
  })
}

/** Resolves once it takes connections, as its log says. */
async function start() {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home,
    max_connections: '300',
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    ...(durability === 'on' ? {} : atRest),
    // Its own messages, not the errors that tests provoke.
    log_min_messages: 'log',
    lc_messages: 'C',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  server = spawn(path.join(bin, 'postgres'), ['-D', data, ...args], {
    ...user,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = server.stderr
  if (!output) return
  const lines = createInterface({ input: output })
  /** @type {string[]} */
  const log = []
  const ready = new Promise((resolve) => {
    lines.on('line', (line) => {
      if (log.push(line) > 50) log.shift()
      if (line.includes('ready to accept connections')) resolve(true)
    })
  })
  const late = AbortSignal.timeout(60_000)
  const isReady = await Promise.race([
    ready,
    once(server, 'exit').then(() => false),
    once(late, 'abort').then(() => false),
  ])
  if (!isReady) throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`)
}

async function stop() {
  if (server && server.exitCode === null) {
    const gone = once(server, 'exit')
    // A fast shutdown saves what is kept.
    server.kill(kept === undefined ? 'SIGQUIT' : 'SIGINT')
    await gone
  }
  process.exit(0)
}
