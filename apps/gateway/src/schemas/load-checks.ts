import type { ConfigSnapshot, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type * as JsonSchema from '@gatehouse/contract/json-schema'

let loaded: typeof JsonSchema | undefined
let loading: Promise<void> | undefined

const isChecked = ({ validation, tool }: Partial<Pick<SnapshotEndpoint, 'validation' | 'tool'>>) =>
  !!validation || !!tool

/**
 * To be awaited before a snapshot or changes are taken: undefined where nothing has to be loaded. The checks
 * take 16 MB, so a worker loads them with the first endpoint that checks something.
 */
export function loadChecksFor(given: unknown): Promise<void> | undefined {
  if (loaded) return undefined
  const { endpoints } = (given ?? {}) as Partial<ConfigSnapshot>
  if (!Array.isArray(endpoints) || !endpoints.some((each) => isChecked(each ?? {})))
    return undefined
  return (loading ??= import('@gatehouse/contract/json-schema').then((module) => {
    loaded = module
  }))
}

/** What was loaded. Throws where it was not. */
export function jsonSchema(): typeof JsonSchema {
  if (!loaded) throw new Error('The checks of JSON Schema are not loaded.')
  return loaded
}
