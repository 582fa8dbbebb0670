import { createHash } from 'node:crypto'
import type { RunKind } from '@gatehouse/contract'

/** What a request asks for: plain data that a thread can receive. */
export interface RunContent {
  kind: RunKind
  isTest: boolean
  steps: readonly { endpointId: number; body: string; dependencyField: string | null }[]
}

/** Two requests are the same if their kind, test flag, endpoints and typed bodies are the same. */
export function contentHashOf({ kind, isTest, steps }: RunContent): string {
  const content = steps.map(({ endpointId, body, dependencyField }) => [
    endpointId,
    body,
    dependencyField,
  ])
  return createHash('sha256')
    .update(JSON.stringify([kind, isTest, content]))
    .digest('hex')
}
