import { createHash } from 'node:crypto'
import {
  isExactObject,
  objectFrom,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'

interface QueuedContent {
  workflowId: number
  isTest: boolean
  input: ExactJson
}

/**
 * The hash of what a run of a workflow is about. Two are the same where their inputs are the same JSON,
 * whatever the order of keys.
 */
export function queuedContent({ workflowId, isTest, input }: QueuedContent): string {
  const content = [workflowId, isTest, stringifyExact(inKeyOrder(input))]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function inKeyOrder(value: ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map(inKeyOrder)
  if (!isExactObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return objectFrom(keys.map((key) => [key, inKeyOrder(value[key] ?? null)]))
}
