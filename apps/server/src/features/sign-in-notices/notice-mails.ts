import { gatewayClientId, type AuditAction } from '@gatehouse/contract'
import type { RecordedEvent } from '../../stores.ts'

/** What is said of each change of how a user signs in. A password that was chosen by a link came by e-mail itself. */
const said: Partial<Record<AuditAction, string>> = {
  'user.password': 'The password was changed.',
  'user.passkey_add': 'A passkey was added, which signs in without the password.',
  'user.passkey_remove': 'A passkey was removed.',
  'user.passkeys_reset': 'All passkeys were removed.',
  'user.second_factor_on': 'The second factor was turned on.',
  'user.second_factor_off': 'The second factor was turned off.',
  'user.second_factor_reset': 'The second factor was removed.',
  'user.recovery_codes': 'New recovery codes were made. Earlier ones do not count any more.',
  'user.sign_on_linked': 'An account of the sign-in provider was linked, which signs in too.',
}

export interface Notice {
  userId: number
  sentences: string[]
  /** Of the client; undefined: another user did it. */
  address: string | undefined
  /** The address that the user had before; undefined: it is the one they have. */
  to: string | undefined
}

/** What users have to hear of: one notice for each, of all that a transaction changed. */
export function noticesOf(events: readonly RecordedEvent[]): Notice[] {
  const notices = new Map<number, Notice>()
  for (const { by, entry } of events) {
    const { id, thing, action, outcome, before, after } = entry
    if (thing !== 'user' || !id || id === gatewayClientId || outcome === 'refused') continue
    const [earlier, later] = [emailOf(before), emailOf(after)]
    // A user who is deleted has none later.
    const isMoved = earlier !== undefined && later !== undefined && earlier !== later
    const sentences = [said[action], isMoved ? 'The e-mail address was changed.' : undefined]
    const { sentences: others = [], to } = notices.get(id) ?? {}
    const user = 'caller' in by ? by.caller.user : by.user
    const notice = {
      userId: id,
      sentences: [...others, ...sentences.filter((each) => each !== undefined)],
      address: user?.id === id ? by.address : undefined,
      to: earlier ?? to,
    }
    if (notice.sentences.length > 0) notices.set(id, notice)
  }
  return [...notices.values()]
}

const emailOf = (part: object | undefined): string | undefined =>
  part && 'email' in part && typeof part.email === 'string' ? part.email : undefined

export const noticeMail = ({ sentences, address }: Notice, at: Date, publicUrl: string) => ({
  subject: '[Gatehouse] How you sign in was changed',
  text: [
    'This was changed for your user of Gatehouse:',
    '',
    ...sentences.map((sentence) => `- ${sentence}`),
    '',
    `It was at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${address ? `by your user, from ${address}` : 'by another user'}.`,
    'If you know of it, you need do nothing.',
    'If not, tell an administrator at once, choose another password, and end all other sessions:',
    `${publicUrl}/dashboard/account`,
    '',
  ].join('\n'),
})
