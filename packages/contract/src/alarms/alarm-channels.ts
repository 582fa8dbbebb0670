import { z } from 'zod'
import { baseUrlProblem } from '../apis/base-url.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import {
  choice,
  flag,
  optionalInteger,
  requiredText,
  text,
  typedSecret,
  version,
} from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

const alarmChannelKinds = ['e-mail', 'webhook'] as const
type AlarmChannelKind = (typeof alarmChannelKinds)[number]

/**
 * `starttls`: the connection has to become secure before anything is said. `tls`: it is secure from the
 * beginning. `none`: not at all; without a password, and to addresses of private networks only.
 */
const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

const digestDefault = 5
const portDefaults: Record<MailSecurity, number> = { starttls: 587, tls: 465, none: 25 }

const addressPattern = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/
const isAddress = (value: string) => value === '' || addressPattern.test(value)
const addressProblem = 'This is not an e-mail address.'

const receivers = z
  .union([z.array(text(254, 'receiver')).max(50), z.string(), z.null()], {
    error: 'The receivers must be a list of e-mail addresses.',
  })
  .optional()
  .transform((value) => (typeof value === 'string' ? value.split(/[\s,;]+/) : (value ?? [])))
  .transform((list) => [...new Set(list.map((each) => each.trim()).filter(Boolean))])
  .refine((list) => list.every(isAddress), { error: addressProblem })
  .refine((list) => list.length <= 50, { error: 'At most 50 receivers.' })

const hostPattern = /^[A-Za-z0-9._-]{1,253}$|^\[?[0-9a-fA-F:.]{2,45}\]?$/

export const alarmChannelInput = z
  .object({
    name: requiredText(100, 'name'),
    kind: choice(alarmChannelKinds, 'kind'),
    is_on: flag,
    tells_end: flag,
    /** More news than this in one check are one message. */
    digest_above: optionalInteger('number of messages', 1, 100).transform(
      (count) => count ?? digestDefault,
    ),
    url: text(2000, 'URL'),
    host: text(253, 'mail server').refine((host) => host === '' || hostPattern.test(host), {
      error: 'The mail server is a name or an address, without a port.',
    }),
    port: optionalInteger('port', 1, 65_535),
    security: text(20, 'security')
      .transform((value) => value || 'starttls')
      .refine((value): value is MailSecurity => mailSecurities.includes(value as MailSecurity), {
        error: `The security must be one of: ${mailSecurities.join(', ')}.`,
      }),
    /** PEM of the authorities to trust instead of those that Node knows. */
    ca: text(100_000, 'certificate authority', { isMultiline: true }),
    user: text(200, 'user'),
    from: text(254, 'sender').refine(isAddress, { error: addressProblem }),
    to: receivers,
    /** Password of the user, or the secret that signs. Blank keeps the stored one. */
    secret: typedSecret(1000, 'secret'),
    version,
  })
  .superRefine(
    ...acrossFields<{
      kind: AlarmChannelKind
      url: string
      host: string
      security: MailSecurity
      user: string
      from: string
      to: string[]
      secret: string
    }>((channel, context) => {
      const refuse = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message })
      const { kind, url = '', secret = '' } = channel
      if (kind === 'webhook') {
        const problem = baseUrlProblem(url.replace(/[?#].*$/s, ''), 'URL')
        if (problem) refuse('url', problem)
        if (secret !== '' && !/^whsec_[A-Za-z0-9+/]{32,100}={0,2}$/.test(secret))
          refuse('secret', 'The secret is whsec_ and at least 24 bytes in base64.')
      }
      if (kind !== 'e-mail') return
      if (channel.host === '') refuse('host', 'The mail server field is required.')
      if (channel.from === '') refuse('from', 'The sender field is required.')
      if (channel.to?.length === 0) refuse('to', 'Name at least one receiver.')
      if (channel.security === 'none' && (channel.user || secret))
        refuse('security', 'A user and a password are not sent without encryption.')
    }),
  )
  .transform((channel) => ({
    ...channel,
    port: channel.port ?? portDefaults[channel.security],
  }))
export type AlarmChannelInput = z.output<typeof alarmChannelInput>

const alarmChannelRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  kind: z.enum(alarmChannelKinds),
  is_on: z.boolean(),
  tells_end: z.boolean(),
  digest_above: z.number().int(),
  url: z.string(),
  host: z.string(),
  port: z.number().int().nullable(),
  security: z.enum(mailSecurities),
  ca: z.string(),
  user: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  has_secret: z.boolean(),
  version: z.number().int(),
})
export type AlarmChannelRecord = z.output<typeof alarmChannelRecord>

const channelAnswer = z.object({
  channel: alarmChannelRecord,
  /** A new secret of a webhook, shown this once; null: there is no new one. */
  new_secret: z.string().nullable(),
})

export const listAlarmChannels = defineRoute({
  method: 'GET',
  path: '/api/alarm-channels',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'Where alarms are told',
  query: listQuery(['id', 'name']),
  response: pageOf(alarmChannelRecord),
})

export const createAlarmChannel = defineRoute({
  method: 'POST',
  path: '/api/alarm-channels',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Add a channel; a webhook without a secret gets one',
  status: 201,
  body: alarmChannelInput,
  response: channelAnswer,
})

export const editAlarmChannel = defineRoute({
  method: 'GET',
  path: '/api/alarm-channels/:id/edit',
  access: 'alarm.view',
  tag: 'Alarms',
  summary: 'One channel, for the form; without its secret',
  params: idParams,
  response: z.object({ channel: alarmChannelRecord }),
})

export const updateAlarmChannel = defineRoute({
  method: 'PUT',
  path: '/api/alarm-channels/:id',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Change a channel; a password has to be entered again for another mail server',
  params: idParams,
  body: alarmChannelInput,
  response: channelAnswer,
})

export const deleteAlarmChannel = defineRoute({
  method: 'DELETE',
  path: '/api/alarm-channels/:id',
  access: 'alarm.edit',
  tag: 'Alarms',
  summary: 'Delete a channel; what it has not told yet is not told',
  status: 204,
  params: idParams,
})
