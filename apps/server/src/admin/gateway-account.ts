import { randomBytes } from 'node:crypto'
import { openAppKey } from '../settings/app-key.ts'
import type { Db } from '../db/connect.ts'
import { createGatewayRole, dropGatewayRole, RoleRefused } from '../db/gateway-role.ts'
import { openMoment } from '../db/outages/open-clock.ts'
import type { Clock } from '../kernel/clock.ts'
import { createSecretBox, type SecretBox } from '../kernel/secret-box.ts'
import { buildSnapshot } from '../publishing/build-snapshot.ts'
import { GatewayConfigs, sealGatewayKey } from '../publishing/gateways/gateway-configs.ts'
import type { Settings } from '../settings/settings.ts'
import { createStores, inTransactionOn } from '../stores.ts'
import { onDatabase } from './admin-database.ts'
import { CommandError, type AdminCommand, type CommandCall } from './command.ts'
import { recordAct } from './command-line-actor.ts'

export const gatewayAccount: AdminCommand = {
  summary: 'makes an account of PostgreSQL for gateways that run alone',
  takes: ['[name]'],
  options: { remove: { does: 'remove the account instead' } },
  help: [
    'The account is called gatehouse_gateway unless a name is given. It may sign in and read two tables, which ' +
      'are sealed with GATEWAY_KEY. Its DATABASE_URL and GATEWAY_KEY are printed once: for as many gateways as you like.',
    'To change the key, make a second account, move the gateways to it, and remove the first.',
  ],
  async run(call) {
    const settings = call.settings()
    const [name = 'gatehouse_gateway'] = call.given
    if (!accountPattern.test(name))
      throw new CommandError('A name has small letters, digits and _, and begins with a letter.')
    if (settings.databaseUrl === undefined)
      throw new CommandError('A gateway runs alone on PostgreSQL only: set DATABASE_URL.')
    try {
      await (call.options['remove'] ? removeFor : makeFor)(call, settings, name)
      return 0
    } catch (error) {
      if (!(error instanceof RoleRefused)) throw error
      throw new CommandError(error.message, { cause: error })
    }
  },
}

async function makeFor(call: CommandCall, settings: Settings, name: string): Promise<void> {
  const { password, key } = await onDatabase(settings, async (db) => {
    const clock = await openMoment(db)
    const appKey = await openAppKey(db, settings.dataDir, settings.appKey, clock.now())
    return makeGatewayAccount({ db, clock, secrets: createSecretBox(appKey) }, name)
  })
  call.note('Set these for each gateway; they are shown this once.')
  call.say('ROLE=gateway')
  call.say(`DATABASE_URL=${addressFor(settings.databaseUrl ?? '', name, password)}`)
  call.say(`GATEWAY_KEY=${key}`)
}

async function removeFor(call: CommandCall, settings: Settings, name: string): Promise<void> {
  const isRemoved = await onDatabase(settings, async (db) =>
    removeGatewayAccount({ db, clock: await openMoment(db) }, name),
  )
  if (!isRemoved) throw new CommandError(`There is no account ${name} for gateways.`)
  call.say(
    `${name} is removed. Its gateways serve what they have, and learn of no change any more.`,
  )
}

interface GatewayAccountParts {
  db: Db
  /** Opened with the key of the control plane. */
  secrets: SecretBox
  clock: Clock
}

/** What a gateway that runs alone needs, both shown once. */
interface GatewayAccount {
  password: string
  /** GATEWAY_KEY. */
  key: string
}

/** The name of an account: PostgreSQL takes it without quotes. */
const accountPattern = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Makes an account of PostgreSQL for gateways, with a password and a key of its own, and stores the present
 * configuration for it, so that gateways can start before a control plane does. Throws a RoleRefused.
 */
async function makeGatewayAccount(
  { db, secrets, clock }: GatewayAccountParts,
  name: string,
): Promise<GatewayAccount> {
  const password = randomBytes(24).toString('base64url')
  const key = randomBytes(32)
  await db.transaction().execute(async (transaction) => {
    await createGatewayRole(transaction, name, password)
    await createStores(transaction, clock).gatewayAccounts.insert({
      name,
      key_encrypted: sealGatewayKey(secrets, name, key),
      created_at: clock.now().toISOString(),
    })
    await recordAct(transaction, clock, { action: 'gateway_account.create', name })
  })
  await writeConfigs({ db, secrets, clock })
  return { password, key: key.toString('base64') }
}

/** Takes the account away: its gateways go on with what they have, and learn of no change any more. */
async function removeGatewayAccount(
  { db, clock }: Pick<GatewayAccountParts, 'db' | 'clock'>,
  name: string,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { gatewayAccounts } = createStores(transaction, clock)
    if (!(await gatewayAccounts.find(name))) return false
    await gatewayAccounts.remove(name)
    await dropGatewayRole(transaction, name)
    await recordAct(transaction, clock, { action: 'gateway_account.remove', name })
    return true
  })
}

/** A change at the same moment makes this one outdated, and is then written by the server that made it. */
async function writeConfigs({ db, secrets, clock }: GatewayAccountParts): Promise<void> {
  const inTransaction = inTransactionOn(db, clock)
  const configs = new GatewayConfigs({
    stores: createStores(db, clock),
    inTransaction,
    secrets,
    clock,
  })
  const { snapshot } = await buildSnapshot(db, secrets, clock)
  await configs.write(snapshot)
}

/** The address of the database with another account. */
function addressFor(databaseUrl: string, name: string, password: string): string {
  const [, scheme = '', authority = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  const path = rest.replace(/([?&])(?:user|password)=[^&#]*&?/g, '$1').replace(/[?&]$/, '')
  return `${scheme}${name}:${password}@${hosts}${path}`
}
