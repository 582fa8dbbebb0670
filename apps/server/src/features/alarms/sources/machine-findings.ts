import { X509Certificate } from 'node:crypto'
import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ago, limitOf, type Asked, type Finding } from '../finding.ts'

/** Files of the folder that are looked at. */
const filesMax = 10_000

/** The folder in which the backups of this server arrive, and those that its own command has made. */
export const backupFindings =
  (backupDir: string | undefined, lastMade: () => Promise<string | undefined>) =>
  async ({ now, rule }: Asked): Promise<Finding[]> => {
    const made = await lastMade()
    if (backupDir === undefined && made === undefined)
      throw new Error('BACKUP_DIR is not set: there is no folder to watch, and none was made here.')
    const newest = later(backupDir && (await newestFile(backupDir)), made && new Date(made))
    const before = ago(now, limitOf(rule, 'hours') * 60)
    if (newest && newest.toISOString() > before) return []
    const words = newest ? `is of ${newest.toISOString()}` : 'is missing'
    const where = backupDir === undefined ? '' : ` in ${backupDir}`
    const title = `The newest backup${where} ${words}`
    const since = newest?.toISOString() ?? now.toISOString()
    return [{ subject: 'backup:newest', title, path: '/dashboard', since }]
  }

const later = (one: Date | '' | undefined, other: Date | '' | undefined) =>
  [one, other]
    .filter((each) => each instanceof Date)
    .toSorted((a, b) => b.getTime() - a.getTime())[0]

async function newestFile(folder: string): Promise<Date | undefined> {
  let newest: Date | undefined
  let seen = 0
  for await (const entry of await opendir(folder)) {
    if (++seen > filesMax) throw new Error(`${folder} has more than ${filesMax} files.`)
    if (!entry.isFile()) continue
    const { mtime, size } = await stat(join(folder, entry.name))
    if (size > 0 && (!newest || mtime > newest)) newest = mtime
  }
  return newest
}

/** When the certificate in a PEM file ends. Read again each time: it may have been renewed. */
export async function certificateEnd(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  return new X509Certificate(await readFile(file)).validToDate.toISOString()
}
