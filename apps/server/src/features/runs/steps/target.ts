import type {
  EndpointOption,
  EndpointOptionQuery,
  NamedValue,
  RunSettings,
  WireMethod,
} from '@gatehouse/contract'
import { bearer, type CallTarget, type Credential, type SignInPlace } from '@gatehouse/upstream'
import type { Caller } from '../../../kernel/caller.ts'

/** An endpoint that a run may call, with the facts about it and its API that a call needs. */
export interface Target {
  endpointId: number
  name: string
  method: WireMethod
  path: string
  destination: Destination
  /** Of the API: where documents that go there are known once each. */
  register: string
  /** For test invoices; undefined where the API has no test base URL. */
  testDestination: Destination | undefined
  connectTimeoutMs: number
  answerTimeoutMs: number
  /** The endpoint's run settings: effect, rules, references. */
  settings: RunSettings
  /** Sent with each call; not secret. */
  staticHeaders: readonly NamedValue[]
}

/** Where the calls go, and how they sign in there where the run brings no other credential. */
interface Destination extends SignInPlace {
  target: CallTarget
  credential: Credential
}

/** A token typed for a request replaces the credential of the API. Blank: none was typed. */
export const credentialFor = ({ destination }: Target, typedToken: string): Credential =>
  typedToken === '' ? destination.credential : bearer(typedToken)

export type TargetLookup =
  | { ok: true; target: Target }
  /** Unknown, disabled, not permitted or not callable; `message` is shown at the form field. */
  | { ok: false; message: string }

/** The right to send the steps of a workflow's run is access to the workflow (spec: machine-calls). */
export interface SendRight {
  workflowId: number
}

/** Finds the endpoints that runs may call. The feature `endpoints` implements it. */
export interface Targets {
  list(caller: Caller, query: EndpointOptionQuery): Promise<EndpointOption[]>
  find(endpointId: number, caller: Caller, right?: SendRight): Promise<TargetLookup>
  /** Several at once, by their ids. */
  findAll(
    endpointIds: readonly number[],
    caller: Caller,
    right?: SendRight,
  ): Promise<Map<number, TargetLookup>>
  /**
   * Whether a role of the caller has the endpoint, or with `right` the workflow, even if it can't be
   * called now.
   */
  mayCall(endpointId: number, caller: Caller, right?: SendRight): Promise<boolean>
  /** How an API signs in; undefined where there is no such API. */
  credentialOf(apiId: number): Promise<Credential | undefined>
}
