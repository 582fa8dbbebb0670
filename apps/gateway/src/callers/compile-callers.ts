import type { ConfigSnapshot } from '@gatehouse/contract/gateway'
import { isDeepStrictEqual } from 'node:util'
import { compileRole } from './caller.ts'
import { IssuerIndex } from './issuer-index.ts'
import { TokenIndex } from './token-index.ts'

/** The parts of a snapshot that say who may call what. */
export type Rights = Pick<ConfigSnapshot, 'tokens' | 'issuers' | 'access' | 'super_admin_role_id'>

export interface CompiledCallers {
  readonly rights: Rights
  readonly tokens: TokenIndex
  /** Null: no JWT of anybody counts. */
  readonly issuers: IssuerIndex | null
}

/**
 * The same, with the very issuers and roles of `current` where these say the same: a configuration that arrives whole
 * neither forgets the JWTs that were verified nor ends the WebSockets of their callers.
 */
export function withKnownParts(rights: Rights, current: CompiledCallers | undefined): Rights {
  const before = current?.rights
  if (!before || before.issuers.length === 0) return rights
  const { issuers, access } = before
  if (!isDeepStrictEqual([issuers, access], [rights.issuers, rights.access])) return rights
  return { ...rights, issuers, access }
}

/** What `current` has of the same parts is taken over; JWTs that were verified stay verified with it. */
export function compileCallers(rights: Rights, current?: CompiledCallers): CompiledCallers {
  const { tokens, issuers, access, super_admin_role_id } = rights
  const before = current?.rights
  const isAccessSame =
    before?.access === access && before.super_admin_role_id === super_admin_role_id
  const areTokensSame = isAccessSame && before.tokens === tokens
  const areIssuersSame = isAccessSame && before.issuers === issuers
  if (current && areTokensSame && areIssuersSame) return current
  const byRole = new Map(access.map((each) => [each.role_id, compileRole(each)]))
  const compileIssuers = () => (issuers.length === 0 ? null : new IssuerIndex(issuers, byRole))
  return {
    rights,
    tokens:
      current && areTokensSame
        ? current.tokens
        : new TokenIndex(tokens, byRole, super_admin_role_id),
    issuers: current && areIssuersSame ? current.issuers : compileIssuers(),
  }
}
