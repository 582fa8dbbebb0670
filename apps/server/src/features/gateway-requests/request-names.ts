import { gatewayClientId } from '@gatehouse/contract'
import { can, type Caller } from '../../kernel/caller.ts'
import type { RequestNamesStore } from './request-names-store.ts'

interface NamedIds {
  endpoint_id: number | null
  api_id: number | null
  user_id: number | null
  token_id: number | null
  issuer_id: number | null
}

/** Names of what these lines name by id, as far as the caller may see them. */
export async function readNames(
  store: RequestNamesStore,
  rows: readonly NamedIds[],
  caller: Caller,
) {
  const users = idsOf(rows, 'user_id').filter((id) => maySeeUser(caller, id))
  const [endpoints, apis, people, tokens, issuers] = await Promise.all([
    named(store.endpoints, idsOf(rows, 'endpoint_id')),
    named(store.apis, idsOf(rows, 'api_id')),
    named(store.users, users),
    named(store.tokens, idsOf(rows, 'token_id')),
    named(store.issuers, idsOf(rows, 'issuer_id')),
  ])
  const tokenName = (id: number) => {
    const token = tokens.get(id)
    return token && maySeeToken(caller, token.user_id) ? token.name : null
  }
  return ({ endpoint_id, api_id, user_id, token_id, issuer_id }: NamedIds) => ({
    endpoint: endpoints.get(endpoint_id ?? 0)?.name ?? null,
    api: apis.get(api_id ?? 0)?.name ?? null,
    user: people.get(user_id ?? 0)?.name ?? null,
    token: tokenName(token_id ?? 0),
    issuer: issuers.get(issuer_id ?? 0)?.name ?? null,
  })
}

const maySeeUser = (caller: Caller, id: number) => id === caller.user.id || can(caller, 'user.view')

/** As in the list of tokens: those of other people are for who may make tokens for them. */
const maySeeToken = (caller: Caller, userId: number) =>
  userId === caller.user.id || userId === gatewayClientId || can(caller, 'token.create_any')

const idsOf = (rows: readonly NamedIds[], name: keyof NamedIds) => [
  ...new Set(rows.flatMap((row) => row[name] ?? [])),
]

async function named<R extends { id: number }>(
  read: (ids: readonly number[]) => Promise<R[]>,
  ids: readonly number[],
): Promise<Map<number, R>> {
  const rows = ids.length === 0 ? [] : await read(ids)
  return new Map(rows.map((row) => [row.id, row]))
}
