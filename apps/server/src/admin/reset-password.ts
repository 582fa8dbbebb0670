import { randomBytes } from 'node:crypto'
import { passwordMaxLength, passwordMinLength } from '@gatehouse/contract'
import type { Db } from '../db/connect.ts'
import { openMoment } from '../db/outages/open-clock.ts'
import { AppError } from '../kernel/app-error.ts'
import { refuseGuessablePassword } from '../kernel/passwords/guessable-password.ts'
import { hashPassword } from '../kernel/passwords/password-hash.ts'
import { inTransactionOn } from '../stores.ts'
import { onDatabase } from './admin-database.ts'
import { CommandError, type AdminCommand, type CommandCall } from './command.ts'
import { commandLine } from './command-line-actor.ts'

export const resetPassword: AdminCommand = {
  summary:
    'sets a new password, ends the sessions of the user, and takes their tokens for programs, passkeys and sign-on',
  takes: ['<e-mail>'],
  options: {
    generate: { does: 'make a password and print it once' },
    'remove-second-factor': { does: 'also forget the second factor of the user' },
    stdin: { does: 'read the new password from the input, and refuse a blank one' },
  },
  help: [
    'The server may run. At a terminal the command asks for the new password, twice, without showing it; elsewhere\n' +
      'it reads the input. If nothing is entered, it makes one and prints it once:',
    "  printf %s 'a new password' | npm run admin -- reset-password admin@example.com",
  ],
  async run(call) {
    const [email = ''] = call.given
    const given = await passwordFrom(call)
    return onDatabase(call.settings(), async (db) => {
      const password = given ?? randomBytes(18).toString('base64url')
      const { name, sessions, tokens, passkeys, links, hadSecondFactor } = await setPassword(
        db,
        email,
        password,
        {
          isGiven: given !== undefined,
          withoutSecondFactor: call.options['remove-second-factor'] === true,
        },
      )
      call.say(`${name} has a new password; ${counted(sessions, 'session')} ended.`)
      if (tokens > 0) call.say(`${counted(tokens, 'token')} for programs revoked.`)
      if (passkeys > 0) call.say(`${counted(passkeys, 'passkey')} removed.`)
      if (links > 0) call.say(`${counted(links, 'link')} to a sign-in provider removed.`)
      if (hadSecondFactor) call.say('The second factor was removed.')
      if (given === undefined) call.say(`Password: ${password}   (shown this once)`)
      return 0
    })
  },
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Undefined: one is to be made. */
async function passwordFrom({
  options,
  readInput,
  askSecret,
}: CommandCall): Promise<string | undefined> {
  if (options['generate']) return undefined
  const isAsked = askSecret !== undefined && !options['stdin']
  const entered = isAsked ? await askTwice(askSecret) : await readInput()
  const password = entered.replace(/\r?\n$/, '')
  if (password === '' && !options['stdin']) return undefined
  const { length } = password
  if (length < passwordMinLength || length > passwordMaxLength)
    throw new CommandError(
      `A password has ${passwordMinLength} to ${passwordMaxLength} characters; the input has ${length}.`,
    )
  return password
}

async function askTwice(ask: (question: string) => Promise<string>): Promise<string> {
  const first = await ask('New password (leave it blank to have one made): ')
  if (first !== '' && (await ask('The same again: ')) !== first)
    throw new CommandError('These are two different passwords. Nothing was changed.')
  return first
}

/** One transaction: the hash, the end of all sessions, the row in the audit trail. */
async function setPassword(
  db: Db,
  email: string,
  password: string,
  { isGiven, withoutSecondFactor }: { isGiven: boolean; withoutSecondFactor: boolean },
) {
  const clock = await openMoment(db)
  const inTransaction = inTransactionOn(db, clock)
  const found = await inTransaction(({ users }) => users.findByEmail(email))
  if (!found) throw new CommandError(`No user has the e-mail address ${email}.`)
  // The account that calls the gateway alone.
  if (found.password_hash === null) throw new CommandError(`${found.name} can't sign in.`)
  if (isGiven) await refuseGuessable(password, found)
  const password_hash = await hashPassword(password)
  return inTransaction(async (stores) => {
    const { users, sessions, adminTokens, signOn, secondFactors, audit } = stores
    const now = clock.now().toISOString()
    const before = await users.findByEmail(email)
    if (!before) throw new CommandError(`No user has the e-mail address ${email} any more.`)
    const { id, name, version } = before
    await users.update(id, version, { password_hash, updated_at: now })
    const ended = await sessions.endAllOf(id, now)
    const tokens = await adminTokens.revokeAllOf(id, now)
    const event = { thing: 'user', id, name } as const
    await audit.record(commandLine(), { ...event, action: 'user.password' })
    const links = await signOn.removeIdentitiesOf(id, { keepsManaged: false })
    if (links > 0)
      await audit.record(commandLine(), {
        ...event,
        action: 'user.sign_on_unlinked',
        before: { links },
      })
    const passkeys = await stores.passkeys.removeAllOf(id)
    if (passkeys > 0)
      await audit.record(commandLine(), {
        ...event,
        action: 'user.passkeys_reset',
        before: { passkeys },
      })
    const hadSecondFactor = withoutSecondFactor && (await secondFactors.remove(id))
    if (hadSecondFactor)
      await audit.record(commandLine(), { ...event, action: 'user.second_factor_reset' })
    const counts = { sessions: Number(ended[0]?.numUpdatedRows ?? 0n), tokens, passkeys, links }
    return { name, ...counts, hadSecondFactor }
  })
}

async function refuseGuessable(
  password: string,
  person: { name: string; email: string; username: string },
): Promise<void> {
  try {
    await refuseGuessablePassword(password, person)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new CommandError('This password is too easy to guess. Choose another.', { cause: error })
  }
}
