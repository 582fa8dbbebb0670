import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fewAtOnce } from '../few-at-once.ts'

const argon2 = promisify(argon2Callback)

// OWASP's second recommendation: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** At most two hashes at a time: hashing must not starve everything else. */
const run = fewAtOnce({ atOnce: 2, queueMax: 32 })

const hash = (password: string, nonce: Buffer, spent = cost): Promise<Buffer> =>
  run(() => argon2('argon2id', { message: password.normalize('NFC'), nonce, ...spent }))

/** Argon2id in PHC notation with a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  return toPhc(nonce, await hash(password, nonce))
}

const toPhc = (nonce: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`

const unknownTag = Buffer.alloc(cost.tagLength)

/** In place of the hash of a password that nobody knows: its tag is that of none that anybody could find. */
export const unknownPassword = (): string => toPhc(randomBytes(16), unknownTag)

/** False for `unknownPassword`, and where there is no hash. */
export const isKnownPassword = (phc: string | null | undefined): boolean =>
  !!phc && !phc.endsWith(`$${unknownTag.toString('base64')}`)

/** What a stored hash says that it cost: it stays valid when `cost` is raised. */
function readCost(spent: string): typeof cost {
  const [, memory, passes, parallelism] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(spent)?.map(Number) ?? []
  if (!memory || !passes || !parallelism) throw new Error('A stored password hash is damaged.')
  return { memory, passes, parallelism, tagLength: cost.tagLength }
}

// The password of no account: verified for accounts that don't exist, so that both refusals take equally long.
const dummyHash = toPhc(randomBytes(16), randomBytes(32))

/** False for a wrong password, and, after the same work, where there is no hash to compare with. */
export async function verifyPassword(
  password: string,
  phc: string | null | undefined,
): Promise<boolean> {
  const [, , , spent = '', nonce = '', tag = ''] = (phc ?? dummyHash).split('$')
  const expected = Buffer.from(tag, 'base64')
  const actual = await hash(password, Buffer.from(nonce, 'base64'), readCost(spent))
  return timingSafeEqual(actual, expected) && phc !== null && phc !== undefined
}
