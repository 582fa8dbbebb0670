import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The folder with the state, held by this process alone until `release()` or its end. */
export interface DataDir {
  path: string
  /** Names this installation in the ledger, so that it recovers its own open attempts only. */
  instanceId: string
  release(): void
}

/** A start that is refused: the message is what the operator reads. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A start that is refused because the database can't be reached: it may work later. */
export class DatabaseAwayError extends StartError {
  override name = 'DatabaseAwayError'
}

/**
 * Creates the folder where needed and locks it. The lock is an exclusive transaction on a small
 * SQLite file: the kernel gives it back when the process dies, however it dies, so nothing stale is
 * left behind. Throws a StartError that names the process which holds it.
 */
export function openDataDir(folder: string): DataDir {
  const path = resolve(folder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const pidFile = join(path, 'gatehouse.pid')
  const lock = new DatabaseSync(join(path, 'lock.sqlite'))
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    lock.close()
    const holder = existsSync(pidFile)
      ? `process ${readFileSync(pidFile, 'utf8').trim()}`
      : 'another process'
    throw new StartError(
      `The data in ${path} is in use by ${holder}. Stop it first, or set DATA_DIR.`,
      { cause: error },
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    path,
    instanceId: readOrCreate(join(path, 'instance-id'), () => randomUUID()),
    release: () => lock.close(),
  }
}

function readOrCreate(file: string, create: () => string): string {
  if (!existsSync(file)) writeFileSync(file, `${create()}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/**
 * The key that encrypts stored secrets: `APP_KEY`, else the file `app.key`, made on the first start.
 * Refuses a key file that others may read, and refuses to make a new key while secrets exist that
 * only the lost one opens.
 */
export function loadAppKey(
  dataDir: string,
  appKey: Buffer | undefined,
  hasSecrets: boolean,
): Buffer {
  if (appKey) return appKey
  const file = join(dataDir, 'app.key')
  if (!existsSync(file)) {
    if (hasSecrets) {
      throw new StartError(
        `Stored secrets exist but their key is missing: restore ${file} or set APP_KEY.`,
      )
    }
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  return readKeyFile(file)
}

/** The key as far as there is one yet. Refuses a key file that others may read. */
export function findAppKey(dataDir: string, appKey: Buffer | undefined): Buffer | undefined {
  const file = join(dataDir, 'app.key')
  return appKey ?? (existsSync(file) ? readKeyFile(file) : undefined)
}

function readKeyFile(file: string): Buffer {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new StartError(`Others may read ${file}. Make it private with: chmod 600 ${file}`)
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== 32)
    throw new StartError(`${file} does not hold a key: restore it from a backup.`)
  return key
}
