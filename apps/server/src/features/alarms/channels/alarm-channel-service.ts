import { randomBytes } from 'node:crypto'
import type { AlarmChannelInput, AlarmChannelRecord } from '@gatehouse/contract'
import type { ListQuery } from '../../../db/listing.ts'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Actor } from '../../../kernel/caller.ts'
import { savedThing } from '../../../kernel/saved/saved-thing.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import {
  isMoved,
  readChannel,
  sealSecret,
  settingsOf,
  toChannelRecord,
  type ChannelRow,
} from './channel-settings.ts'

/** Sends a test message now; says what the receiver answered. */
export type SendTest = (channel: ChannelRow) => Promise<{ ok: boolean; answer: string }>

interface Saved {
  channel: AlarmChannelRecord
  /** A new secret of a webhook, which is shown this once. */
  new_secret: string | null
}

interface ChannelServiceOptions {
  inTransaction: InTransaction
  secrets: SecretBox
  sendTest: SendTest
}

/** Where alarms are told, as administrators change it. */
export class AlarmChannelService {
  readonly #options: ChannelServiceOptions

  constructor(options: ChannelServiceOptions) {
    this.#options = options
  }

  list(query: ListQuery) {
    return this.#options.inTransaction(({ alarmChannels }) => alarmChannels.list(query))
  }

  get(id: number): Promise<ChannelRow> {
    return this.#options.inTransaction((stores) => channels.existing(stores, id))
  }

  create(input: AlarmChannelInput, actor: Actor): Promise<Saved> {
    const { inTransaction, secrets } = this.#options
    return inTransaction(async (stores) => {
      const made = input.kind === 'webhook' && !input.secret ? newSecret() : null
      const secret = made ?? input.secret
      const row = { ...columnsOf(input), secret_encrypted: null }
      const { id } = await stores.alarmChannels.insert(row)
      if (secret !== '') await stores.alarmChannels.seal(id, sealSecret(secrets, id, secret))
      const saved = await channels.saved(stores, actor, 'create', { id })
      return { channel: toChannelRecord(saved), new_secret: made }
    }, actor.caller)
  }

  update(id: number, input: AlarmChannelInput, actor: Actor): Promise<Saved> {
    const { inTransaction, secrets } = this.#options
    return inTransaction(async (stores) => {
      const before = await channels.existing(stores, id)
      if (input.kind !== before.kind)
        throw fieldError({ kind: ['A channel keeps its kind. Add another one.'] })
      refuseMoved(before, input)
      const isKept = input.secret === '' && (input.kind === 'webhook' || input.user !== '')
      const secret_encrypted = isKept
        ? before.secret_encrypted
        : input.secret === ''
          ? null
          : sealSecret(secrets, id, input.secret)
      const change = { ...columnsOf(input), secret_encrypted }
      const version = input.version ?? before.version
      await stores.alarmChannels.update(id, version, change)
      const saved = await channels.saved(stores, actor, 'update', { id, before })
      return { channel: toChannelRecord(saved), new_secret: null }
    }, actor.caller)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const before = await channels.existing(stores, id)
      await stores.alarmChannels.remove(id)
      await channels.record(stores, actor, 'delete', { before })
    }, actor.caller)
  }

  /** A message is sent for real, on or off. */
  async test(id: number, actor: Actor): Promise<{ ok: boolean; answer: string }> {
    const { inTransaction, sendTest } = this.#options
    const row = await inTransaction((stores) => channels.existing(stores, id), actor.caller)
    const result = await sendTest(row)
    await inTransaction(
      (stores) => channels.record(stores, actor, 'test', { after: row }),
      actor.caller,
    )
    return result
  }
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** A stored password is not sent to a server that an administrator names now. */
function refuseMoved(before: ChannelRow, input: AlarmChannelInput): void {
  const isPassword = before.kind === 'e-mail' && before.secret_encrypted !== null
  const isKept = isPassword && input.secret === '' && input.user !== ''
  if (isKept && isMoved(readChannel(before), settingsOf(input)))
    throw fieldError({ secret: ['Enter the password again: the mail server has changed.'] })
}

function columnsOf(input: AlarmChannelInput) {
  const { name, kind, is_on, tells_end, digest_above } = input
  const flag = (value: boolean) => (value ? (1 as const) : (0 as const))
  const settings = JSON.stringify(settingsOf(input))
  return { name, kind, digest_above, is_on: flag(is_on), tells_end: flag(tells_end), settings }
}

const channels = savedThing({
  thing: 'alarm-channel',
  missing: 'alarm.channel_not_found',
  find: ({ alarmChannels }: Stores, id) => alarmChannels.find(id),
  audited: toChannelRecord,
})
