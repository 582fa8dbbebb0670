// Starts a throwaway MariaDB in a temporary folder, prints its address, and kills and deletes it when
// standard input ends. It listens on 127.0.0.1, on a port that was free, for one account with a random
// password, and offers TLS.
//
//   node scripts/databases/mariadb-keeper.mjs <mariadbd> <file of certificate and key>

import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const [, , program = '', certificate = ''] = process.argv
const home = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-mariadb-'))
const data = path.join(home, 'data')
const password = randomBytes(16).toString('hex')
// As root, MariaDB starts only if it is asked to run as root.
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

process.on('exit', () => {
  // Nothing in it outlives the tests: no orderly shutdown.
  server?.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())
process.stdin.on('end', () => void stop()).resume()

initialise()
console.log(`mysql://tests:${password}@127.0.0.1:${await start()}`)

function initialise() {
  execFileSync(
    installer(),
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...asRoot,
    ],
    { cwd: home, stdio: 'pipe' },
  )
  // Read by the server at its start, before it takes connections.
  writeFileSync(
    path.join(home, 'accounts.sql'),
    [
      'DELETE FROM mysql.global_priv;',
      'FLUSH PRIVILEGES;',
      `CREATE USER tests@'%' IDENTIFIED BY '${password}';`,
      "GRANT ALL ON *.* TO tests@'%' WITH GRANT OPTION;",
    ].join('\n'),
    { mode: 0o600 },
  )
}

/** It is beside the server, or in the `bin` of its prefix. */
function installer() {
  const folders = [
    path.dirname(program),
    path.join(path.dirname(program), '..', 'bin'),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ]
  for (const folder of folders) {
    for (const name of ['mariadb-install-db', 'mysql_install_db']) {
      const file = path.join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not here.
      }
    }
  }
  throw new Error(`No mariadb-install-db belongs to ${program}.`)
}

/** Resolves with the port once it takes connections, as its log says. */
async function start() {
  /** @type {string[]} */
  let log = []
  // Another process may take the port before the server does.
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort()
    log = []
    if (await isStarted(port, log)) return port
    if (!log.some((line) => line.includes('bind'))) break
  }
  throw new Error(`MariaDB did not start:\n${log.join('\n')}`)
}

/** @param {number} port @param {string[]} log */
async function isStarted(port, log) {
  const settings = {
    datadir: data,
    socket: path.join(home, 'socket'),
    port: String(port),
    'bind-address': '127.0.0.1',
    'init-file': path.join(home, 'accounts.sql'),
    'pid-file': path.join(home, 'pid'),
    'innodb-buffer-pool-size': '32M',
    'innodb-flush-log-at-trx-commit': '0',
    'max-connections': '300',
    'max-allowed-packet': '64M',
    'performance-schema': 'off',
    'ssl-cert': path.resolve(certificate),
    'ssl-key': path.resolve(certificate),
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  server = spawn(program, ['--no-defaults', '--skip-log-bin', ...args, ...asRoot], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const gone = once(server, 'exit').then(() => false)
  const output = server.stderr
  if (!output) return false
  const ready = new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      if (log.push(line) > 50) log.shift()
      if (line.includes('ready for connections')) resolve(true)
    })
  })
  const late = AbortSignal.timeout(60_000)
  return Promise.race([ready, gone, once(late, 'abort').then(() => false)])
}

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function stop() {
  if (server && server.exitCode === null) {
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  process.exit(0)
}
