import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkValueOf } from '../../settings/app-key.ts'
import { findAppKey } from '../../settings/data-dir.ts'
import type { Db } from '../../db/connect.ts'
import { openMoment } from '../../db/outages/open-clock.ts'
import { installationHoldStore } from '../../features/installation-hold/installation-hold-store.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import type { BackupHeader } from './backup-format.ts'
import { CommandError, type AdminCommand } from '../command.ts'
import { recordAct } from '../command-line-actor.ts'
import { writeWhole } from '../copy/copy-rows.ts'
import { fillTarget } from '../copy/copy-target.ts'
import { giveGatewayRights } from '../gateway-rights.ts'
import { readBackup, verifyBackup, type KeptFile } from './read-backup.ts'

export const restore: AdminCommand = {
  summary: 'puts a backup into an empty database, of SQLite or PostgreSQL',
  takes: ['<file>'],
  options: {
    verify: { does: 'only check every hash of the file' },
    replace: { does: 'put the database that is there aside, under another name' },
    'any-key': { does: 'restore although the key here opens none of its secrets' },
  },
  help: [
    'Stop the servers first. The whole file is checked before anything is touched, and all of it is restored\n' +
      'or nothing. Put the key of the backup into APP_KEY or app.key first.',
  ],
  async run({ given, options, settings, say, note, environment }) {
    const file = resolve(environment['INIT_CWD'] ?? '.', given[0] ?? '')
    const header = await verifyBackup(file)
    say(`${file} is whole: of ${header.made_at}, version ${header.version}.`)
    if (options['verify']) return 0
    const target = settings()
    if (!options['any-key']) refuseOtherKey(header, target)
    let [rows, files] = [0, 0]
    const source = readBackup(file, header)
    const { keptAs } = await fillTarget(
      target,
      { replaces: options['replace'] === true },
      async (db) => {
        // First: where this ends in the middle, there is the old database, and all that it needs.
        files = await restoreFiles(readBackup(file, header).files(), target.archiveDir)
        const clock = await openMoment(db)
        const { made_at, version } = header
        rows = await writeWhole(db, source, {
          atEnd: async (restored, all) => {
            await hold(restored, clock, made_at)
            await recordAct(restored, clock, {
              action: 'installation.restore',
              name: file,
              after: { made_at, version, rows: all },
            })
          },
        })
        await giveGatewayRights(db, note)
      },
    )
    say(`${rows} rows are restored and were compared${files > 0 ? `, and ${files} files` : ''}.`)
    note(
      'The installation is held: what was sent after the backup was made is not known in it, so nothing is sent\n' +
        'without a person. Check at the authorities, then choose Release at the top of any screen of the dashboard.',
    )
    if (keptAs !== undefined) note(`The database that was there is ${keptAs}.`)
    if (!header.has_archive)
      note('The files of the archive were not in it: put them back yourself.')
    return 0
  },
}

/** Otherwise the first start would send again what was queued or due when the backup was made. */
const hold = (db: Db, clock: Clock, backup_made_at: string) =>
  installationHoldStore(db).begin({
    reason: 'restore',
    backup_made_at,
    held_since: clock.now().toISOString(),
  })

function refuseOtherKey({ key_check }: BackupHeader, settings: Settings): void {
  if (key_check === null) return
  const key = findAppKey(settings.dataDir, settings.appKey)
  if (key && checkValueOf(key) === key_check) return
  const what = key ? 'The key here is not the one' : 'There is no key here, and one is needed'
  throw new CommandError(
    `${what} that opens the secrets of this backup: set APP_KEY, or put app.key into ${settings.dataDir}. ` +
      'With --any-key it is restored, and the secrets stay closed.',
  )
}

async function restoreFiles(files: AsyncIterable<KeptFile>, folder: string): Promise<number> {
  let count = 0
  for await (const { name, content } of files) {
    const path = resolve(folder, name)
    if (!path.startsWith(resolve(folder) + sep))
      throw new CommandError(`${name} is not a name of a file in the archive.`)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const part = `${path}.part`
    await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600 }))
    if (existsSync(path) && (await hashOf(path)) !== (await hashOf(part))) {
      await rm(part)
      throw new CommandError(`${path} is there with another content. No database was touched.`)
    }
    await rename(part, path)
    count++
  }
  return count
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
