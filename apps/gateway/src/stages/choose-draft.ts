import { takeKey } from '../callers/api-key.ts'
import type { Caller } from '../callers/caller.ts'
import { readSignature, takeSignature } from '../callers/signature/read-signature.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { CompiledApi } from '../snapshot/compile-snapshot.ts'

/**
 * A request with a personal token that the draft of the API names goes on by the draft: from here to the answer,
 * the API in force has no say. The token counts wherever the API or its draft look for one. Whether it is enough
 * is decided afterwards, as for any request, and that the caller is one of those tokens.
 */
export function chooseDraft(exchange: Exchange): void {
  const { endpoint } = exchange
  const draft = endpoint?.draft ?? null
  if (endpoint === null || draft === null) return
  const names = draft.api.draftTokens
  const nowMs = Date.now()
  const isNamed = shownTokens(exchange, endpoint.api, draft.api).some(
    (token) =>
      token !== null && names?.has(token.tokenId ?? 0) === true && token.expiresAtMs > nowMs,
  )
  if (!isNamed) return
  exchange.setEndpoint(draft)
  dropUnknown(exchange, endpoint.api, draft.api)
}

/** The personal tokens that are shown, and the one that is said to have signed, or that a try names. */
function shownTokens(exchange: Exchange, live: CompiledApi, draft: CompiledApi) {
  const { authorization, passed, snapshot, trace } = exchange
  const { tokens } = snapshot.callers
  const keys = [...new Set([live.keyHeader, draft.keyHeader])].flatMap((header) => {
    const shown = header === null ? null : takeKey(passed, header)
    return shown?.value == null ? [] : [`Bearer ${shown.value}`]
  })
  const texts = authorization === null ? keys : [authorization, ...keys]
  const found: (Caller | null)[] = texts.map((text) => tokens.find(text))
  const isSigned = live.signatureSeconds !== null || draft.signatureSeconds !== null
  const read = isSigned ? readSignature(takeSignature(passed).fields) : ''
  // Only one that is named is looked for: that looks at all of them.
  if (typeof read !== 'string' && draft.draftTokens?.has(read.keyId))
    found.push(tokens.withId(read.keyId))
  const triedId = trace?.tokenId ?? null
  if (texts.length === 0 && triedId !== null) found.push(tokens.withId(triedId))
  return found
}

/** What shows a caller to the API and means nothing to its draft must not reach the upstream. */
function dropUnknown(exchange: Exchange, live: CompiledApi, draft: CompiledApi): void {
  const { keyHeader } = live
  if (keyHeader !== null && keyHeader !== draft.keyHeader)
    exchange.passed = takeKey(exchange.passed, keyHeader)?.others ?? exchange.passed
  if (live.signatureSeconds !== null && draft.signatureSeconds === null)
    exchange.passed = takeSignature(exchange.passed).others
}
