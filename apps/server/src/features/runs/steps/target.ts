import type { EndpointOption, RunSettings } from '@gatehouse/contract'
import type { Caller } from '../../../kernel/caller.ts'

/** An endpoint that a run may call, with the facts about it and its API that a call needs. */
export interface Target {
  endpointId: number
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** For a stored procedure, its whole address. */
  baseUrl: string
  isProcedure: boolean
  /** The base URL for test invoices; undefined where the API has none. */
  testBaseUrl: string | undefined
  connectTimeoutMs: number
  answerTimeoutMs: number
  /** The endpoint's run settings: effect, rules, references. */
  settings: RunSettings
  /** The Bearer token where the run brings no other. */
  upstreamToken: string | undefined
}

export type TargetLookup =
  | { ok: true; target: Target }
  /** Unknown, disabled, not permitted or not callable; `message` is shown at the form field. */
  | { ok: false; message: string }

/** Finds the endpoints that runs may call. The feature `endpoints` implements it. */
export interface Targets {
  list(caller: Caller): Promise<EndpointOption[]>
  find(endpointId: number, caller: Caller): Promise<TargetLookup>
  /** Whether a role of the caller has the endpoint, even if it can't be called now. */
  mayCall(endpointId: number, caller: Caller): Promise<boolean>
}
