import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runAdmin } from '../../src/admin/run-admin.ts'
import { connect, sourceOf, type Db } from '../../src/db/connect.ts'
import { createEmptyPostgres, createPrepared } from '../test-database.ts'

/** What one command printed. */
interface Outcome {
  code: number
  out: string
  err: string
}

export interface Installation {
  folder: string
  environment: Record<string, string>
  /** Runs a command of `npm run admin` on it. */
  admin: (args: readonly string[], input?: string, typed?: readonly string[]) => Promise<Outcome>
  /** Opens its database, until the test has finished. */
  open: () => Db
  /** Closes what was opened. */
  close: () => Promise<void>
}

/** A data folder with a database of its own, on the database that the suite runs on. It is removed after the test. */
export async function createInstallation({
  isEmpty = false,
  key = randomBytes(32).toString('base64'),
} = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-admin-'))
  const postgres = await (isEmpty ? createEmptyPostgres() : createPrepared(folder))
  const environment = { DATA_DIR: folder, DATABASE_URL: postgres?.url ?? '', APP_KEY: key }
  const source = sourceOf(postgres?.url, folder)
  const opened: Db[] = []
  const open = () => {
    const db = connect(source)
    opened.push(db)
    return db
  }
  const close = async () => {
    for (const db of opened.splice(0)) await db.destroy()
  }
  onTestFinished(async () => {
    await close()
    await postgres?.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, environment, open, close, admin: (...call) => runOn(environment, ...call) }
}

/** Runs a command of `npm run admin` with these settings. With `typed` at a terminal, where that is entered. */
export async function runOn(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
  typed?: readonly string[],
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []]
  const answers = typed?.values()
  const code = await runAdmin(args, {
    environment,
    say: (line) => void out.push(line),
    note: (line) => void err.push(line),
    readInput: async () => input,
    askSecret: answers && (async () => answers.next().value ?? ''),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
