import { randomUUID } from 'node:crypto'
import {
  effectOf,
  wireMethods,
  type RunSettings,
  type WorkflowDefinition,
} from '@gatehouse/contract'
import type { NewRow } from '../../db/tables.ts'
import type { AppError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'
import { textOf } from '../runs/steps/plan-workflow.ts'

type Definition = Pick<WorkflowDefinition, 'steps'>

/**
 * The message of each step that can't be planned, by position. The step that decides the state of the run has
 * one in any case, such as where the input lacks a value.
 */
export function messagesOf({ details, message }: AppError, deciding: number): Map<number, string> {
  const named = Object.entries(details.fields ?? {}).flatMap(([field, [text]]) => {
    const position = Number(/^steps\.(\d+)/.exec(field)?.[1]) + 1
    return position > 0 && text !== undefined ? [[position, text] as const] : []
  })
  const [first] = named
  const [other] = Object.values(details.fields ?? {})
  const reason = first ? `Step ${first[0]}: ${first[1]}` : (other?.[0] ?? message)
  return new Map([[deciding, reason], ...named])
}

/** The steps of a run of which nothing was sent, so that they are shown and a person can go on with them. */
export async function unsentSteps(
  { endpoints }: Stores,
  runId: number,
  definition: Definition,
  messages: ReadonlyMap<number, string>,
  state: 'waiting' | 'blocked',
): Promise<NewRow<'run_step'>[]> {
  const rows: NewRow<'run_step'>[] = []
  for (const [index, { endpoint_id, body }] of definition.steps.entries()) {
    const endpoint = await endpoints.find(endpoint_id)
    const method = wireMethods[endpoint?.method_type ?? 'post']
    const { effect = '' } = JSON.parse(endpoint?.run_settings ?? '{}') as Partial<RunSettings>
    const message = messages.get(index + 1) ?? null
    rows.push({
      run_id: runId,
      position: index + 1,
      endpoint_id,
      endpoint_name: endpoint?.summary ?? `Endpoint ${endpoint_id}`,
      effect: effectOf({ effect }, method),
      state: message === null ? 'waiting' : state,
      message,
      uuid: randomUUID(),
      method,
      url: '',
      headers: '{}',
      body: null,
      source_body: textOf(body),
      dependency_field: null,
      reused_from: null,
    })
  }
  return rows
}
