import { authorizationOf, takeKey } from '../callers/api-key.ts'
import type { Caller } from '../callers/caller.ts'
import type { IssuerIndex } from '../callers/issuer-index.ts'
import { callerWithRole } from '../callers/role-caller.ts'
import { takeSignature, type SignatureFields } from '../callers/signature/read-signature.ts'
import { holdsToken } from '../callers/token-index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { checkCertificate } from './proofs/check-certificate.ts'
import { chooseDraft } from './choose-draft.ts'
import type { Stage } from './stage.ts'
import { refuseSignature, verifySignature } from './proofs/verify-signature.ts'

export const authenticate: Stage = {
  name: 'authenticate',
  run: checkCaller,
  traceDetails: ({ endpoint, caller, trace, detail }) => ({
    is_token_required: endpoint?.isTokenRequired ?? false,
    token_id: caller?.tokenId ?? null,
    ...caller?.jwt,
    ...(endpoint?.isDraft ? { is_draft: true } : {}),
    ...(detail === null ? {} : { detail }),
    ...(trace?.isAsClient ? { is_tried_as_client: true } : {}),
    ...(trace?.roleId == null ? {} : { role_id: trace.roleId }),
  }),
}

/**
 * Asks for a token where the API or the endpoint wants one (RFC 6750 §3): a personal token, or a JWT of an
 * issuer that is trusted. It goes no further than this; neither does one of ours that was sent to an open
 * endpoint by mistake. A signed try names a token or a role instead; what the snapshot says of it counts for it too.
 */
function checkCaller(exchange: Exchange): Verdict {
  if (exchange.endpoint !== null && exchange.endpoint.draft !== null) chooseDraft(exchange)
  const { endpoint } = exchange
  const authorities = endpoint?.api.authorities ?? null
  if (authorities !== null && checkCertificate(exchange, authorities) === 'stop') return 'stop'
  if (endpoint !== null && endpoint.api.keyHeader !== null) {
    const verdict = readKey(exchange, endpoint.api.keyHeader, endpoint.isTokenRequired)
    if (verdict !== 'next') return verdict
  }
  const signatureSeconds = endpoint?.api.signatureSeconds ?? null
  if (signatureSeconds !== null) {
    const { fields, others } = takeSignature(exchange.passed)
    exchange.passed = others
    if (endpoint?.isTokenRequired && !exchange.trace?.isAsClient)
      return checkSigned(exchange, fields, signatureSeconds)
  }
  const { authorization } = exchange
  if (endpoint === null || (!endpoint.isTokenRequired && exchange.agent === null)) {
    if (authorization !== null && holdsToken(authorization)) exchange.authorization = null
    return 'next'
  }
  const shown = whoShows(exchange)
  if (!shown.ok)
    return exchange.refuse(shown.code, { headers: askingFields(shown.code), detail: shown.detail })
  const { caller } = shown
  if (signatureSeconds !== null && caller.tokenId !== null && caller.signingSecret === null)
    return refuseSignature(exchange, 'This token has no signing secret.')
  return letIn(exchange, caller)
}

type Shown =
  | { ok: true; caller: Caller }
  | {
      ok: false
      code: 'client.unauthenticated' | 'client.token_invalid'
      detail?: string | undefined
    }

/** Who a request shows that it is of, by a personal token or a JWT that counts now. */
export function whoShows(exchange: Exchange): Shown {
  const token = shownToken(exchange)
  if (token === undefined) return { ok: false, code: 'client.unauthenticated' }
  const nowMs = Date.now()
  const { issuers } = exchange.snapshot.callers
  if (token === null && issuers !== null) return readJwt(exchange, issuers, nowMs)
  return token !== null && token.expiresAtMs > nowMs ? { ok: true, caller: token } : notValid
}

const notValid = { ok: false, code: 'client.token_invalid' } as const

/** What a 401 asks for (RFC 6750 §3). `metadata`: where a client learns who signs it in (RFC 9728 §5.1). */
export function askingFields(
  code: 'client.unauthenticated' | 'client.token_invalid',
  metadata?: string,
): string[] {
  const error = code === 'client.token_invalid' ? ', error="invalid_token"' : ''
  const pointer = metadata === undefined ? '' : `, resource_metadata="${metadata}"`
  return ['WWW-Authenticate', `Bearer realm="gateway"${error}${pointer}`]
}

/** A personal token in the header of the API counts as one in Authorization, and never reaches the upstream. */
function readKey(exchange: Exchange, header: string, isTokenRequired: boolean): Verdict {
  const shown = takeKey(exchange.passed, header)
  if (shown === null) return 'next'
  exchange.passed = shown.others
  if (!isTokenRequired) return 'next'
  const authorization = authorizationOf(shown, exchange.authorization)
  if (authorization === null)
    return refuseToken(
      exchange,
      'The API key is no token, came twice, or beside another credential',
    )
  exchange.authorization = authorization
  return 'next'
}

/** The token that has signed the request: nothing else counts where signatures are asked for. */
function checkSigned(exchange: Exchange, fields: SignatureFields, windowSeconds: number): Verdict {
  const signer = verifySignature(exchange, fields, windowSeconds)
  if (signer === undefined) return 'stop'
  return signer.expiresAtMs > Date.now() ? letIn(exchange, signer) : refuseToken(exchange)
}

function letIn(exchange: Exchange, caller: Caller): Verdict {
  const names = exchange.endpoint?.api.draftTokens ?? null
  // Another credential beside that of the token that led to the draft.
  if (names !== null && !names.has(caller.tokenId ?? 0)) return refuseToken(exchange)
  exchange.caller = caller
  exchange.authorization = null
  return 'next'
}

const refuseToken = (exchange: Exchange, detail?: string): Verdict =>
  exchange.refuse('client.token_invalid', { headers: askingFields('client.token_invalid'), detail })

/** The personal token that is shown, or who a try names; undefined: neither; null: it is none of ours. */
function shownToken({ authorization, snapshot, trace }: Exchange): Caller | null | undefined {
  const { tokens } = snapshot.callers
  if (authorization !== null) return tokens.find(authorization)
  if (trace === null) return undefined
  if (trace.roleId !== null) return callerWithRole(trace.roleId, snapshot.callers.rights)
  return trace.tokenId === null ? undefined : tokens.withId(trace.tokenId)
}

function readJwt(exchange: Exchange, issuers: IssuerIndex, nowMs: number): Shown {
  const shown = issuers.find(exchange.authorization ?? '', nowMs)
  if (shown === null) return notValid
  if ('detail' in shown) {
    if (shown.unknownKeyOf !== null) exchange.gateway.counters.noteUnknownKey(shown.unknownKeyOf)
    return { ...notValid, detail: shown.detail }
  }
  return shown.expiresAtMs > nowMs ? { ok: true, caller: shown } : notValid
}
