import { mkdtempSync, rmSync } from 'node:fs'
import { connect as dial, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../src/db/connect.ts'
import { createEmptyPostgres, prepareDatabase, writeSqliteFile } from './test-database.ts'

/** A database that a test takes away for a while and gives back. */
export interface AwayDatabase {
  db: Db
  goAway: () => Promise<void>
  comeBack: () => Promise<void>
  /** PostgreSQL: the next commit is done, and its connection breaks before the answer. */
  loseNextConfirmation?: () => void
  drop: () => Promise<void>
}

/** SQLite: another connection holds the write lock. PostgreSQL: its socket is gone, connections break. */
export async function createAwayDatabase(): Promise<AwayDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-away-'))
  const postgres = await createEmptyPostgres()
  const away = postgres ? await behindRelay(postgres.url, folder) : await behindLock(folder)
  return {
    ...away,
    drop: async () => {
      await away.drop()
      await postgres?.drop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function behindLock(folder: string): Promise<AwayDatabase> {
  await writeSqliteFile(folder)
  const db = connect({ kind: 'file', folder })
  // It waits in the thread that the test runs in.
  await sql`pragma busy_timeout = 1`.execute(db)
  const other = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  other.exec('pragma busy_timeout = 0')
  const goAway = async (): Promise<void> => {
    try {
      other.exec('begin immediate')
    } catch {
      // A transaction is under way: it needs this thread to end.
      await sleep(1)
      await goAway()
    }
  }
  return {
    db,
    goAway,
    comeBack: async () => other.exec('rollback'),
    drop: async () => {
      other.close()
      await db.destroy()
    },
  }
}

async function behindRelay(url: string, folder: string): Promise<AwayDatabase> {
  const real = new URL(url)
  const file = '.s.PGSQL.5432'
  const place = join(real.searchParams.get('host') ?? '', file)
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  }
  let isLosing = false
  const relay = createServer((client) => {
    const server = dial(place)
    keep(client)
    keep(server)
    client.on('data', (chunk) => {
      server.write(chunk)
      if (!isLosing || !chunk.toString('latin1').toLowerCase().includes('commit\0')) return
      isLosing = false
      server.removeAllListeners('data').once('data', () => client.destroy())
    })
    server.on('data', (chunk) => void client.write(chunk))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  const comeBack = () =>
    new Promise<void>((resolve) => relay.listen(join(folder, file), () => resolve()))
  const goAway = () =>
    new Promise<void>((resolve) => {
      relay.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  await comeBack()
  real.searchParams.set('host', folder)
  const db = connect({ kind: 'postgres', url: real.href })
  await prepareDatabase(db)
  return {
    db,
    goAway,
    comeBack,
    loseNextConfirmation: () => {
      isLosing = true
    },
    drop: async () => {
      await db.destroy()
      if (relay.listening) await goAway()
    },
  }
}
