import { X509Certificate } from 'node:crypto'
import { opendir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { ago, limitOf, type Asked, type Finding } from '../finding.ts'

interface MachineOptions {
  dataDir: string
  /** Undefined: no backups are watched. */
  backupDir: string | undefined
}

const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)

/** Files of the folder that are looked at. */
const filesMax = 10_000

/** The disk of this server, and the folder in which its backups arrive. */
export function machineFindings({ dataDir, backupDir }: MachineOptions) {
  return {
    disk: async ({ now, rule, open }: Asked): Promise<Finding[]> => {
      const { bavail, blocks, bsize } = await statfs(dataDir)
      const percent = blocks === 0 ? 100 : (bavail * 100) / blocks
      if (percent >= limitOf(rule, 'percent')) return []
      const subject = 'disk:data'
      const since = open.find((alarm) => alarm.subject === subject)?.since ?? now.toISOString()
      const free = `${gigabytes(bavail * bsize)} GB (${percent.toFixed(1)} %)`
      return [{ subject, title: `${free} are free in ${dataDir}`, path: '/dashboard', since }]
    },
    backup: async ({ now, rule }: Asked): Promise<Finding[]> => {
      if (backupDir === undefined)
        throw new Error('BACKUP_DIR is not set: there is no folder to watch.')
      const newest = await newestFile(backupDir)
      const before = ago(now, limitOf(rule, 'hours') * 60)
      if (newest && newest.toISOString() > before) return []
      const words = newest ? `is of ${newest.toISOString()}` : 'is missing'
      const title = `The newest backup in ${backupDir} ${words}`
      const since = newest?.toISOString() ?? now.toISOString()
      return [{ subject: 'backup:newest', title, path: '/dashboard', since }]
    },
  }
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
