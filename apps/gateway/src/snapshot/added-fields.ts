import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { randomUUID } from 'node:crypto'

/** Header fields that an endpoint adds to its calls beside Authorization. They replace a client's. */
export interface AddedFields {
  /** Name and value in turn; `{uuid}` is not filled in yet. */
  readonly fields: readonly string[]
  /** In small letters. */
  readonly names: ReadonlySet<string>
  readonly hasUuid: boolean
}

/**
 * The static headers of an API and of an endpoint, and what a credential shows beside Authorization.
 * Of two with one name the later in this order wins. Null: there are none.
 */
export function compileAddedFields(
  api: SnapshotApi,
  endpoint: SnapshotEndpoint,
  credentialFields: readonly (readonly [name: string, value: string])[],
): AddedFields | null {
  const byName = new Map<string, readonly [name: string, value: string]>()
  for (const { name, value } of [...api.static_headers, ...endpoint.static_headers]) {
    byName.set(name.toLowerCase(), [name, value])
  }
  for (const [name, value] of credentialFields) {
    if (name.toLowerCase() !== 'authorization') byName.set(name.toLowerCase(), [name, value])
  }
  if (byName.size === 0) return null
  const fields = [...byName.values()].flat()
  const hasUuid = fields.some((value, at) => at % 2 === 1 && value.includes('{uuid}'))
  return { fields, names: new Set(byName.keys()), hasUuid }
}

/** The fields of a client, without those that are replaced, and the added ones behind them. */
export function addFields(passed: readonly string[], added: AddedFields): string[] {
  const { fields, names, hasUuid } = added
  const headers: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    if (!names.has(name.toLowerCase())) headers.push(name, passed[at + 1] ?? '')
  }
  if (!hasUuid) headers.push(...fields)
  else {
    fields.forEach((text, at) =>
      headers.push(
        at % 2 === 1 && text.includes('{uuid}') ? text.replaceAll('{uuid}', randomUUID()) : text,
      ),
    )
  }
  return headers
}
