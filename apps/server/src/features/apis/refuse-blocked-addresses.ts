import {
  noTrafficPolicy,
  signInUrl,
  type ApiDefinition,
  type HttpApiDefinition,
} from '@gatehouse/contract'
import type { AddressGuard } from '@gatehouse/upstream'
import { fieldError } from '../../kernel/app-error.ts'

/** A host name is checked when it is resolved. An IP address is checked at once. Throws a 422 with each field. */
export function refuseBlockedAddresses(guard: AddressGuard, definition: ApiDefinition): void {
  if (definition.api_protocol !== 'http') return
  const fields: Record<string, string[]> = {}
  for (const field of ['api_url', 'test_api_url'] as const) {
    if (definition[field] === '') continue
    const refusal = guard.literalRefusal(new URL(definition[field]))
    if (refusal) fields[field] = [`This address can't be used: ${refusal}.`]
  }
  for (const [field, url] of furtherUrls(definition)) {
    const refusal = guard.literalRefusal(new URL(url))
    if (refusal) fields[field] = [`This address can't be used: ${refusal}.`]
  }
  if (Object.keys(fields).length > 0) throw fieldError(fields)
}

/** Addresses beside the base URLs that are called, by their fields. */
function furtherUrls(definition: HttpApiDefinition): [field: string, url: string][] {
  const { targets, canary } = definition.traffic_policy ?? noTrafficPolicy
  const others = (targets?.others ?? []).map(({ url }, at): [string, string] => [
    `traffic_policy.targets.others.${at}.url`,
    url,
  ])
  const canaries: [string, string][] = canary ? [['traffic_policy.canary.url', canary.url]] : []
  const signIns = (['credential', 'test_credential'] as const).flatMap((field) => {
    const given = definition[field]
    const url = given ? signInUrl(given) : undefined
    const name = given?.kind === 'login_call' ? 'url' : 'token_url'
    return url === undefined ? [] : [[`${field}.${name}`, url] as [string, string]]
  })
  return [...others, ...canaries, ...signIns]
}
