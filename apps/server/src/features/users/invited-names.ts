import type { NewUser } from '@gatehouse/contract'
import { hasTwin } from '../../kernel/text/look-alike.ts'
import type { Stores } from '../../stores.ts'

const numbersMax = 1_000

/** Names of one who is invited, where they were left blank: the e-mail address before the @, and a free username. */
export async function withNames({ users }: Stores, given: NewUser): Promise<NewUser> {
  const local = given.email.split('@')[0] ?? ''
  const name = given.name === '' ? local.slice(0, 100) : given.name
  if (given.username !== '') return { ...given, name }
  const base = local.replace(/[^\p{L}\p{N}._-]/gu, '').slice(0, 60) || 'user'
  const all = await users.listUsernames()
  for (let number = 1; number < numbersMax; number++) {
    const username = number === 1 ? base : `${base}${number}`
    if (!(await users.findByUsername(username)) && !hasTwin(username, all))
      return { ...given, name, username }
  }
  return { ...given, name, username: `${base}${numbersMax}` }
}
