import type { explainRefusal } from '@gatehouse/contract'
import type { z } from 'zod'
import { can, type Caller } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'

type Question = z.output<typeof explainRefusal.query>
type Refusal = z.output<typeof explainRefusal.response>

const namesMax = 5

/** Who may give what was refused. The roles behind a token are for those who may look at access. */
export async function refusalOf(
  { access }: Pick<Stores, 'access'>,
  { missing, token }: Question,
  caller: Caller,
): Promise<Refusal> {
  const permission = missing === 'access' ? 'api-permission.edit' : 'role.edit'
  const names = await access.namesOfHolders(permission, namesMax + 1)
  const mayLook = can(caller, 'api-permission.view')
  const ofToken = token !== undefined && mayLook ? await access.rolesOfToken(token) : []
  return {
    roles: token === undefined ? caller.user.roles : ofToken,
    granters: names.slice(0, namesMax),
    has_more: names.length > namesMax,
  }
}
