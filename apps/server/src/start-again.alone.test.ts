import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseAwayError, openDataDir } from './settings/data-dir.ts'
import { ConnectionPool } from './db/postgres/connection-pool.ts'
import { databaseTroubleOf } from './db/outages/database-away.ts'
import { readPostgresAddress } from './db/postgres/postgres-hosts.ts'
import { listenTo } from './db/postgres/listen.ts'
import { readSettings } from './settings/settings.ts'
import { startServer } from './start.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-again-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Files and sockets that this process holds open. */
const descriptors = () => readdirSync('/proc/self/fd').length

/** In the place of PostgreSQL: it takes connections, and then breaks them or says nothing. */
async function openPort(take: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    // Otherwise the end of the other side is not noticed.
    socket.resume()
    take(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/db`,
    sockets,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

it.skipIf(process.platform !== 'linux')(
  'a start that is tried again and again without its database holds no files and sockets',
  async () => {
    const port = await openPort((socket) => socket.destroy())
    const dataDir = openDataDir(folder)
    const settings = readSettings({ DATABASE_URL: port.url, DATA_DIR: folder, PORT: '0' })
    const options = {
      settings,
      dataDir,
      gateway: undefined,
      version: '0',
      dashboardFolder: '/no',
      showFirstAdministrator: () => {},
    }
    const fail = async () => {
      const error: unknown = await startServer(options).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(DatabaseAwayError)
    }
    await fail()
    const before = descriptors()
    for (let times = 0; times < 20; times++) await fail()
    expect(descriptors()).toBeLessThanOrEqual(before)
    await port.close()
    dataDir.release()
  },
)

it.skipIf(process.platform !== 'linux')(
  'calls and listening without a database hold a bounded number of sockets',
  async () => {
    const enough = Promise.withResolvers<void>()
    let attempts = 0
    let most = 0
    const count = () => {
      most = Math.max(most, silent.sockets.size)
      if (++attempts === 30) enough.resolve()
    }
    const silent = await openPort(count)
    const bounds = { size: 5, waitingMax: 1_000, waitMs: 50, idleMs: 1_000 }
    const pool = new ConnectionPool(readPostgresAddress(silent.url)!, bounds)
    const listening = listenTo(silent.url, 'channel', { onNotification: () => {} })
    let isOver = false
    const calls = Array.from({ length: 5 }, async () => {
      while (!isOver) {
        expect(databaseTroubleOf(await pool.connect().catch((error: unknown) => error))).toBe(
          'away',
        )
        pool.renew()
      }
    })
    await enough.promise
    isOver = true
    await Promise.all(calls)
    // Some of them are just being closed.
    expect(most).toBeLessThanOrEqual(12)
    await Promise.all([pool.end(), listening.stop()])
    await vi.waitFor(() => expect(silent.sockets.size).toBe(0))
    await silent.close()
  },
)
