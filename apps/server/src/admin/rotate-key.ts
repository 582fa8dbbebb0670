import { checkValueOf, findCheckValue } from '../settings/app-key.ts'
import { findAppKey } from '../settings/data-dir.ts'
import type { Db } from '../db/connect.ts'
import { openMoment } from '../db/outages/open-clock.ts'
import { createStores } from '../stores.ts'
import { onDatabase } from './admin-database.ts'
import { CommandError, type AdminCommand } from './command.ts'
import { recordAct } from './command-line-actor.ts'
import { sealAgain } from './seal-again.ts'

export const rotateKey: AdminCommand = {
  summary: 'seals every stored secret with the new APP_KEY',
  help: [
    'APP_KEY is the new key and APP_KEY_PREVIOUS the old one, here and on every server, which go on\n' +
      'meanwhile. If it is interrupted, run it again. docs/operations/keys.md has the steps.',
  ],
  async run({ settings, say }) {
    const { dataDir, databaseUrl, appKey, appKeyPrevious: previous } = settings()
    const key = findAppKey(dataDir, appKey)
    if (!key || !previous)
      throw new CommandError('Set APP_KEY to the new key and APP_KEY_PREVIOUS to the old one.')
    return onDatabase({ dataDir, databaseUrl }, async (db) => {
      await refuseOtherKeys(db, key, previous)
      await refuseOldServers(db, checkValueOf(key))
      const total = await sealAll(db, { key, previous })
      // What could be undone for a minute holds secrets of the old key.
      await db.deleteFrom('deletion').execute()
      await noteRotation(db, { key, previous, total })
      say(
        `${total} secrets were sealed with the new key. The next restart goes without the old one.`,
      )
      say('Backups from before need the old key: keep it with them.')
      return 0
    })
  },
}

async function noteRotation(
  db: Db,
  { key, previous, total }: { key: Buffer; previous: Buffer; total: number },
): Promise<void> {
  const clock = await openMoment(db)
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('key_check')
      .set({ check_value: checkValueOf(key) })
      .where('check_value', '=', checkValueOf(previous))
      .execute()
    const after = { secrets: total }
    await recordAct(transaction, clock, {
      action: 'installation.rotate_key',
      name: 'APP_KEY',
      after,
    })
  })
}

async function refuseOtherKeys(db: Db, key: Buffer, previous: Buffer): Promise<void> {
  const known = await findCheckValue(db)
  if (known === checkValueOf(key) || known === checkValueOf(previous)) return
  throw new CommandError('This database was used with neither APP_KEY nor APP_KEY_PREVIOUS.')
}

const silentMs = 30_000

/** A server that seals with the old key, or knows it alone, could not open a secret any more. */
async function refuseOldServers(db: Db, needed: string): Promise<void> {
  const clock = await openMoment(db)
  const since = new Date(clock.now().getTime() - silentMs).toISOString()
  for (const node of await createStores(db, clock).nodes.list()) {
    const isAlive = node.stopped_at === null && node.seen_at > since && node.role !== 'gateway'
    if (!isAlive || sealsWith(node.state) === needed) continue
    throw new CommandError(
      `The server ${node.name} does not seal with the new key: restart it with APP_KEY (new) and ` +
        'APP_KEY_PREVIOUS (old) first.',
    )
  }
}

const sealsWith = (state: string | null) =>
  (JSON.parse(state ?? '{}') as { seals_with?: string }).seals_with

const passesMax = 20

/** Until a pass finds nothing of the old key. */
async function sealAll(db: Db, keys: { key: Buffer; previous: Buffer }): Promise<number> {
  for (let pass = 0, total = 0; pass < passesMax; pass++) {
    const { sealed, closed } = await sealAgain(db, keys)
    total += sealed
    const [first] = closed
    if (first !== undefined)
      throw new CommandError(
        `Neither key opens ${first}${closed.length > 1 ? ` and ${closed.length - 1} more` : ''}. ` +
          'Enter it again in its form, then run this again.',
      )
    if (sealed === 0) return total
  }
  throw new CommandError('Secrets of the old key keep coming: a server still seals with it.')
}
