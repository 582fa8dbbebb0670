import { execFile } from 'node:child_process'
import { accessSync, chmodSync, constants, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

// A dump of a PostgreSQL database before its upgrade, as `upgrade-backup.ts` makes a copy of a SQLite file.

const namePattern = /^before-upgrade\.(\d{4}-[\w-]+)\.(\d{4}-[\w-]+)\.([\dTZ-]+)\.dump$/
const keptMax = 3

/** The program of the PATH; undefined where there is none. */
export function findPgDump(path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, process.platform === 'win32' ? 'pg_dump.exe' : 'pg_dump'))
    .find(isExecutable)
}

export interface Dump {
  databaseUrl: string
  folder: string
  /** The last migration that the database has been through, and the last one that it will go through. */
  from: string
  to: string
  now: Date
}

/**
 * Dumps a database into a file of the folder that `pg_restore` reads, and keeps the last three. Returns the file;
 * undefined where this upgrade has begun before, so that its dump is there. Rejects where the dump could not be made;
 * nothing of it is left then.
 */
export async function dumpBeforeUpgrade(
  program: string,
  { databaseUrl, folder, from, to, now }: Dump,
): Promise<string | undefined> {
  const made = listDumps(folder)
  if (made.some((each) => each.to === to && each.from < from)) return undefined
  const moment = now.toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `before-upgrade.${from}.${to}.${moment}.dump`)
  const part = `${file}.part`
  try {
    const { address, password } = withoutPassword(databaseUrl)
    const args = ['--format=custom', '--no-owner', `--file=${part}`, `--dbname=${address}`]
    await promisify(execFile)(program, args, {
      env: { ...process.env, ...(password === undefined ? {} : { PGPASSWORD: password }) },
    })
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  for (const { name } of listDumps(folder).slice(0, -keptMax)) rmSync(join(folder, name))
  return file
}

/** Arguments are seen in the list of processes, the environment is not. */
function withoutPassword(databaseUrl: string): { address: string; password: string | undefined } {
  const [, scheme = '', user = '', password, rest = ''] =
    /^(\w+:\/\/)([^:@/?#]*)(?::([^@/?#]*))?(@.*)$/s.exec(databaseUrl) ?? []
  if (password === undefined) return { address: databaseUrl, password }
  return { address: `${scheme}${user}${rest}`, password: decodeURIComponent(password) }
}

/** The oldest first. */
const listDumps = (folder: string) =>
  readdirSync(folder)
    .flatMap((name) => {
      const [, from = '', to = '', moment = ''] = namePattern.exec(name) ?? []
      return moment === '' ? [] : [{ name, from, to, moment }]
    })
    .toSorted((one, other) => (one.moment < other.moment ? -1 : 1))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
