import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isStoreFull } from '../db/outages/store-refusal.ts'
import { putFile } from '../http/put-file.ts'

/** The folder with the state, held only by this process, or its parent, until `release()` or its end. */
export interface DataDir {
  path: string
  /** Names this installation in the ledger, so that it recovers its own open attempts only. */
  instanceId: string
  /**
   * Names the lock file on a machine since its boot; blank where the system does not say. A process that holds
   * the lock knows that an earlier one with the same place has ended. A copy of the folder has another place.
   */
  place: string
  release(): void
}

/** The configuration that the gateway was last given, encrypted: a sign that this installation was in use. */
export const keptSnapshotName = 'gateway-snapshot.json'

/** A start that is refused: the message is what the operator reads. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A start that is refused because the database can't be used now: it may work later. */
export class DatabaseAwayError extends StartError {
  override name = 'DatabaseAwayError'
  /** Nothing answers at its address, or only that it is starting or stopping. */
  readonly isUnreachable: boolean

  constructor(message: string, options: { cause: unknown; isUnreachable: boolean }) {
    super(message, options)
    this.isUnreachable = options.isUnreachable
  }
}

/** Where the state is, as the environment of a server says. */
export const dataDirOf = ({ DATA_DIR }: NodeJS.ProcessEnv): string => DATA_DIR?.trim() || './data'

/** The whole server, and the control plane in it: its process may outlive its parent for a moment. */
const whole = { lock: 'lock.sqlite', pid: 'gatehouse.pid', waitMs: 0 }
const controlPlane = { lock: 'control-lock.sqlite', pid: 'control.pid', waitMs: 5_000 }

/**
 * Creates the folder where needed and locks it. The lock is an exclusive transaction on a small
 * SQLite file: the kernel gives it back when the process dies, however it dies, so nothing stale is
 * left behind. Waits 5 s at most, unless `waitMs` says how long, for the control plane of a
 * server that has ended. Throws a StartError that
 * names the process which holds it, or why the folder can't be used.
 */
export function openDataDir(folder: string, waitMs = controlPlane.waitMs): DataDir {
  const opened = lockFolder(resolve(folder), whole)
  try {
    lockFolder(opened.path, { ...controlPlane, waitMs }).release()
    return opened
  } catch (error) {
    opened.release()
    throw error
  }
}

/** The same folder for the control plane, in a process of its own whose parent holds the folder. */
export const joinDataDir = (folder: string): DataDir => lockFolder(resolve(folder), controlPlane)

function lockFolder(path: string, kind: typeof whole): DataDir {
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(join(path, kind.lock))
    lockAlone(lock, path, kind)
    writeFileSync(join(path, kind.pid), `${process.pid}\n`)
    const instanceId = readOrCreate(join(path, 'instance-id'), () => randomUUID())
    const held = lock
    return { path, instanceId, place: placeOf(path), release: () => held.close() }
  } catch (error) {
    lock?.close()
    throw error instanceof StartError ? error : unusable(path, error)
  }
}

function placeOf(path: string): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const { dev, ino } = statSync(join(path, whole.lock))
    return `${boot} ${dev} ${ino}`
  } catch {
    return ''
  }
}

function lockAlone(lock: DatabaseSync, path: string, { pid, waitMs }: typeof whole): void {
  try {
    lock.exec(`pragma busy_timeout = ${waitMs}; begin exclusive`)
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    const pidFile = join(path, pid)
    const holder = existsSync(pidFile)
      ? `process ${readFileSync(pidFile, 'utf8').trim()}`
      : 'another process'
    throw new StartError(
      `The data in ${path} is in use by ${holder}. Stop it first, or set DATA_DIR.`,
      { cause: error },
    )
  }
}

/** SQLITE_BUSY */
const sqliteBusy = 5

function unusable(path: string, error: unknown): StartError {
  const reason = isStoreFull(error) ? 'its disk is full' : (error as Error).message
  return new StartError(
    `The folder ${path} can't be used: ${reason}. Make room or let this account write there, or set DATA_DIR.`,
    { cause: error },
  )
}

function readOrCreate(file: string, create: () => string): string {
  if (isBlank(file)) putFile(file, `${create()}\n`)
  return readFileSync(file, 'utf8').trim()
}

/** True where there is none, or one that an earlier release was killed in writing. */
const isBlank = (file: string) => !existsSync(file) || statSync(file).size === 0

/**
 * The key that encrypts stored secrets: `APP_KEY`, else the file `app.key`, made on the first start.
 * Refuses a key file that others may read, and refuses to make a new key for a database that is used with
 * another one.
 */
export function loadAppKey(dataDir: string, appKey: Buffer | undefined, isUsed: boolean): Buffer {
  if (appKey) return appKey
  const file = join(dataDir, 'app.key')
  if (isBlank(file)) {
    if (isUsed) {
      throw new StartError(
        `This database was used with a key, and the key is missing: restore ${file} or set APP_KEY. ` +
          'Where it is lost, see "A key that is lost" in docs/operations/keys.md.',
      )
    }
    try {
      putFile(file, `${randomBytes(32).toString('base64')}\n`)
    } catch (error) {
      throw unusable(dataDir, error)
    }
  }
  return readKeyFile(file)
}

/** The key as far as there is one yet. Refuses a key file that others may read. */
export function findAppKey(dataDir: string, appKey: Buffer | undefined): Buffer | undefined {
  const file = join(dataDir, 'app.key')
  return appKey ?? (isBlank(file) ? undefined : readKeyFile(file))
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
