import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findCheckValue } from '../../settings/app-key.ts'
import type { Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import { openMoment } from '../../db/outages/open-clock.ts'
import { listWholeTables } from '../../db/whole-database.ts'
import { createStores } from '../../stores.ts'
import { onDatabase } from '../admin-database.ts'
import { productVersion } from '../product-version.ts'
import { formatVersion, type BackupHeader } from './backup-format.ts'
import type { AdminCommand } from '../command.ts'
import { recordAct } from '../command-line-actor.ts'
import { readWhole } from '../copy/copy-rows.ts'
import { writeBackup } from './write-backup.ts'

export const backup: AdminCommand = {
  summary: 'writes the whole database into one file, as it is at one moment',
  takes: ['<file-or-folder>'],
  options: { 'with-archive': { does: 'the files of the archive go with it' } },
  help: [
    'The server may run. In the file: every table, secrets sealed as they are. Not in it: the key that opens\n' +
      'them (keep it apart), logs, and the files of the archive unless --with-archive is given.\n' +
      'In a folder the file gets a name with the time.',
  ],
  async run({ given, options, settings, say, note, environment }) {
    const { archiveDir, ...rest } = settings()
    const withArchive = options['with-archive'] === true
    return onDatabase(rest, async (db) => {
      const madeAt = (await openMoment(db)).now()
      const file = fileFor(resolve(environment['INIT_CWD'] ?? '.', given[0] ?? ''), madeAt)
      const written = await writeWhole(db, file, madeAt, withArchive ? archiveDir : undefined)
      await noteBackup(db, { file, madeAt, bytes: written.bytes, withArchive })
      const files = withArchive ? ` and ${written.files} files of the archive` : ''
      say(`${file}: ${written.rows} rows${files}, ${written.bytes} bytes`)
      note('The key that opens its secrets is not in it: keep APP_KEY, or app.key, apart from it.')
      if (!withArchive) note(`Not in it either: the files of the archive in ${archiveDir}.`)
      return 0
    })
  },
}

/** A folder gets a file with the moment in its name. */
function fileFor(path: string, madeAt: Date): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const moment = madeAt.toISOString().replaceAll(/[:.]/g, '-')
  return join(path, `gatehouse-${moment}.backup`)
}

const writeWhole = (db: Db, file: string, madeAt: Date, archiveDir: string | undefined) =>
  readWhole(db, async (source, within) => {
    const header: BackupHeader = {
      gatehouse_backup: formatVersion,
      version: productVersion(),
      made_at: madeAt.toISOString(),
      database: isPostgres(db) ? 'postgres' : 'sqlite',
      migrations: [...source.migrations],
      key_check: (await findCheckValue(within)) ?? null,
      counters: { ...source.counters },
      tables: await listWholeTables(within),
      has_archive: archiveDir !== undefined,
    }
    return writeBackup(file, { header, source, archiveDir })
  })

interface MadeBackup {
  file: string
  madeAt: Date
  bytes: number
  withArchive: boolean
}

/** So that the rule of alarms about old backups knows of it, and the audit trail. */
async function noteBackup(db: Db, { file, madeAt, bytes, withArchive }: MadeBackup): Promise<void> {
  const clock = await openMoment(db)
  await db.transaction().execute(async (transaction) => {
    const { backups } = createStores(transaction, clock)
    await backups.note({ file, bytes, made_at: madeAt.toISOString() })
    const after = { bytes, with_archive: withArchive }
    await recordAct(transaction, clock, { action: 'installation.backup', name: file, after })
  })
}
