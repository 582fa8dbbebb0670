import { randomBytes } from 'node:crypto'
import type { AlarmChannelInput, AlarmChannelRecord } from '@gatehouse/contract'
import type { ListQuery } from '../../../db/listing.ts'
import { alarmChannelForm } from '../../../db/tables/alarms.ts'
import { writeRow } from '../../../db/tables/column.ts'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Actor } from '../../../kernel/caller.ts'
import { savedThing } from '../../../kernel/saved/saved-thing.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import {
  isMoved,
  openSecret,
  readChannel,
  sealSecret,
  settingsOf,
  toChannelRecord,
  type ChannelRow,
  type ChannelSettings,
} from './channel-settings.ts'

interface TestedChannel {
  kind: AlarmChannelRecord['kind']
  settings: ChannelSettings
  /** What signs, or the password; blank: there is none. */
  secret: string
}

interface TestAnswer {
  ok: boolean
  answer: string
}

/** Sends a test message now; says what the receiver answered. */
export type SendTest = (channel: TestedChannel) => Promise<TestAnswer>

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
  async test(id: number, actor: Actor): Promise<TestAnswer> {
    const { inTransaction, secrets, sendTest } = this.#options
    const row = await inTransaction((stores) => channels.existing(stores, id), actor.caller)
    const { kind } = row
    const settings = readChannel(row)
    const result = await sendTest({ kind, settings, secret: openSecret(secrets, row) })
    await inTransaction(
      (stores) => channels.record(stores, actor, 'test', { after: row }),
      actor.caller,
    )
    return result
  }

  /** By what a form holds. Throws a 422 where a save would. */
  async testUnsaved(
    id: number | undefined,
    input: AlarmChannelInput,
    actor: Actor,
  ): Promise<TestAnswer> {
    const { inTransaction, secrets, sendTest } = this.#options
    const before =
      id === undefined
        ? undefined
        : await inTransaction((stores) => channels.existing(stores, id), actor.caller)
    if (before) refuseMoved(before, input)
    const isStored = input.secret === '' && (input.kind === 'webhook' || input.user !== '')
    const stored = before && isStored ? openSecret(secrets, before) : ''
    // A receiver can't check a secret that it has not been given yet, and a message has to be signed.
    const made = input.kind === 'webhook' ? newSecret() : ''
    const settings = settingsOf(input)
    const secret = input.secret || stored || made
    const result = await sendTest({ kind: input.kind, settings, secret })
    const { name } = input
    const tried = { name, kind: input.kind, is_saved: false, ...settings }
    await inTransaction(
      ({ audit }) =>
        audit.record(actor, {
          action: 'alarm-channel.test',
          thing: 'alarm-channel',
          ...(id === undefined ? {} : { id }),
          name,
          after: tried,
        }),
      actor.caller,
    )
    return result
  }
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Another kind; or a stored password that would go to a server that an administrator names now. */
function refuseMoved(before: ChannelRow, input: AlarmChannelInput): void {
  if (input.kind !== before.kind)
    throw fieldError({ kind: ['A channel keeps its kind. Add another one.'] })
  const isPassword = before.kind === 'e-mail' && before.secret_encrypted !== null
  const isKept = isPassword && input.secret === '' && input.user !== ''
  if (isKept && isMoved(readChannel(before), settingsOf(input)))
    throw fieldError({ secret: ['Enter the password again: the mail server has changed.'] })
}

const columnsOf = (input: AlarmChannelInput) => ({
  ...writeRow(alarmChannelForm, input),
  settings: JSON.stringify(settingsOf(input)),
})

const channels = savedThing({
  thing: 'alarm-channel',
  missing: 'alarm.channel_not_found',
  find: ({ alarmChannels }: Stores, id) => alarmChannels.find(id),
  audited: toChannelRecord,
})
