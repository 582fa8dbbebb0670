import { X509Certificate } from 'node:crypto'
import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ago, limitOf, type Asked, type Finding } from '../finding.ts'

/** Files of the folder that are looked at. */
const filesMax = 10_000

/** The folder in which the backups of this server arrive; undefined: no backups are watched. */
export const backupFindings =
  (backupDir: string | undefined) =>
  async ({ now, rule }: Asked): Promise<Finding[]> => {
    if (backupDir === undefined)
      throw new Error('BACKUP_DIR is not set: there is no folder to watch.')
    const newest = await newestFile(backupDir)
    const before = ago(now, limitOf(rule, 'hours') * 60)
    if (newest && newest.toISOString() > before) return []
    const words = newest ? `is of ${newest.toISOString()}` : 'is missing'
    const title = `The newest backup in ${backupDir} ${words}`
    const since = newest?.toISOString() ?? now.toISOString()
    return [{ subject: 'backup:newest', title, path: '/dashboard', since }]
  }

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
