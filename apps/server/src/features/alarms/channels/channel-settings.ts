import type { AlarmChannelInput, AlarmChannelRecord } from '@gatehouse/contract'
import { alarmChannelForm } from '../../../db/tables/alarms.ts'
import { readRow } from '../../../db/tables/column.ts'
import type { Row } from '../../../db/tables.ts'
import type { MailSettings } from '../../../kernel/mail/send-mail.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

export type ChannelRow = Row<'alarm_channel'>

/** What a channel stores as JSON. */
export interface ChannelSettings extends MailSettings {
  url: string
}

const blank: ChannelSettings = {
  url: '',
  host: '',
  port: null,
  security: 'starttls',
  ca: '',
  user: '',
  from: '',
  to: [],
}

export const readChannel = ({ settings }: Pick<ChannelRow, 'settings'>): ChannelSettings => ({
  ...blank,
  ...(JSON.parse(settings) as Partial<ChannelSettings>),
})

/** A channel keeps the settings of its kind only. */
export function settingsOf(input: AlarmChannelInput): ChannelSettings {
  if (input.kind === 'webhook') return { ...blank, url: input.url }
  const { host, port, security, ca, user, from, to } = input
  return { ...blank, host, port, security, ca, user, from, to }
}

/** The secret would go to another server, or to one that need not show who it is. */
export const isMoved = (before: ChannelSettings, after: ChannelSettings) =>
  before.host.toLowerCase() !== after.host.toLowerCase() ||
  before.port !== after.port ||
  before.security !== after.security ||
  before.ca !== after.ca

const placeOf = (row: number) => ({ table: 'alarm_channel', row, field: 'secret' })

export const sealSecret = (box: SecretBox, id: number, secret: string) =>
  box.seal(secret, placeOf(id))

/** Blank where there is none. Throws where it can't be opened. */
export const openSecret = (box: SecretBox, { id, secret_encrypted }: ChannelRow) =>
  secret_encrypted === null ? '' : box.open(secret_encrypted, placeOf(id))

export function toChannelRecord(row: ChannelRow): AlarmChannelRecord {
  const { id, version } = row
  return {
    id,
    version,
    ...readRow(alarmChannelForm, row),
    ...readChannel(row),
    has_secret: row.secret_encrypted !== null,
  }
}
