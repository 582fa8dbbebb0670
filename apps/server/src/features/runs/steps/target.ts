import type { EndpointOption, RunSettings } from '@gatehouse/contract'
import type { Caller } from '../../../kernel/caller.ts'

/** An endpoint that a run may call, with all that a call needs to know of it and of its API. */
export interface Target {
  endpointId: number
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** Of a stored procedure: what it is called at, whole. */
  baseUrl: string
  isProcedure: boolean
  /** Where test invoices go; undefined where the API has no test base URL. */
  testBaseUrl: string | undefined
  connectTimeoutMs: number
  answerTimeoutMs: number
  /** What the endpoint says of runs: effect, rules, references. */
  settings: RunSettings
  /** Sent as Bearer token where the run gives none of its own. */
  upstreamToken: string | undefined
}

export type TargetLookup =
  | { ok: true; target: Target }
  /** Unknown, disabled, not permitted or not callable: said in words for the field that chose it. */
  | { ok: false; message: string }

/** Where runs find what they may call; the endpoints feature answers. */
export interface Targets {
  list(caller: Caller): Promise<EndpointOption[]>
  find(endpointId: number, caller: Caller): Promise<TargetLookup>
  /** A role of theirs holds the endpoint, whether or not it can be called now. */
  mayCall(endpointId: number, caller: Caller): Promise<boolean>
}
